// What chips in texts stand for.
import { createContext } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { SettingName } from '../../../api/schema'
import { settingWords } from '../../../api/setting-messages'
import { useLoad } from '../../../api/use-load'
import { usePages } from './pages-store'
import type { ChipContext } from './rich-value'

type Settings = Readonly<Record<string, unknown>>

/** As they were read last: the next page of the area is drawn with them, and once. */
let last: Settings | null = null

/** Read once for the area: each part of it that shows texts shows chips alike. */
export const ChipReactContext = createContext<ChipContext>({
  settings: {},
  settingLabels: {},
  blocks: [],
})

const SHOWN = 'Shown'

/** Telephone numbers as pages print them: in groups. */
function asShown(settings: Settings): Settings {
  const shown = Object.entries(settings).flatMap(([name, value]) =>
    name.endsWith(SHOWN) && value !== null ? [[name.slice(0, -SHOWN.length), value] as const] : [],
  )
  return { ...settings, ...Object.fromEntries(shown) }
}

export function useChipContext(): ChipContext {
  const { value, reload } = useLoad<Settings>('/api/admin/settings')
  useEffect(() => {
    // She was in another tab, where she may have changed them.
    const readAgain = () => {
      if (document.visibilityState === 'visible') void reload(true)
    }
    document.addEventListener('visibilitychange', readAgain)
    return () => document.removeEventListener('visibilitychange', readAgain)
  }, [reload])
  const blocks = usePages((store) => store.blocks)
  if (value !== null) last = value
  // As text: the same settings, read again, draw nothing anew.
  const settings = JSON.stringify(last ?? {})
  return useMemo(
    () => ({
      settings: asShown(JSON.parse(settings)),
      settingLabels: Object.fromEntries(
        (Object.keys(settingWords) as SettingName[]).map((one) => [one, settingWords[one].label]),
      ),
      blocks: blocks ?? [],
    }),
    [settings, blocks],
  )
}
