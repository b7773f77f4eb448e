// What chips in texts stand for.
import { createContext } from 'preact'
import { useMemo } from 'preact/hooks'
import type { SettingName } from '../schema'
import { settingWords } from '../settings-wording'
import { useLoad } from '../use-load'
import { usePages } from './pages-store'
import type { Known } from './text-parts'

/** Read once for the area: each part of it that shows texts shows chips alike. */
export const KnownContext = createContext<Known>({ settings: {}, settingLabels: {}, blocks: [] })

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
