// What chips in texts stand for.
import { useMemo } from 'preact/hooks'
import type { SettingName } from '../schema'
import { settingWords } from '../settings-wording'
import { useLoad } from '../use-load'
import { usePages } from './pages-store'
import type { Known } from './text-parts'

export function useKnown(): Known {
  const { value } = useLoad<Readonly<Record<string, unknown>>>('/api/admin/settings')
  const blocks = usePages((store) => store.blocks)
  return useMemo(
    () => ({
      settings: value ?? {},
      settingLabels: Object.fromEntries(
        (Object.keys(settingWords) as SettingName[]).map((one) => [one, settingWords[one].label]),
      ),
      blocks: blocks ?? [],
    }),
    [value, blocks],
  )
}
