// Loads the settings and blocks that chips in texts resolve to.
import { createContext } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { SettingName } from '../../../api/schema'
import { settingMessages } from '../../../api/setting-messages'
import { useLoad } from '../../../api/use-load'
import { usePages } from './pages-store'
import type { ChipContext } from './rich-value'

type Settings = Readonly<Record<string, unknown>>

/** Settings of the last load: the next page of the area renders with them at once, and only once. */
let last: Settings | null = null

/** Loaded once for the area, so that all its parts show the same chip texts. */
export const ChipReactContext = createContext<ChipContext>({
  settings: {},
  settingLabels: {},
  blocks: [],
})

const SHOWN = 'Shown'

/** Prefers the `…Shown` variants of settings: telephone numbers in groups, as on the site. */
function asShown(settings: Settings): Settings {
  const shown = Object.entries(settings).flatMap(([name, value]) =>
    name.endsWith(SHOWN) && value !== null ? [[name.slice(0, -SHOWN.length), value] as const] : [],
  )
  return { ...settings, ...Object.fromEntries(shown) }
}

export function useChipContext(): ChipContext {
  const { value, reload } = useLoad<Settings>('/api/admin/settings')
  useEffect(() => {
    // The admin may have changed the settings in another tab.
    const readAgain = () => {
      if (document.visibilityState === 'visible') void reload(true)
    }
    document.addEventListener('visibilitychange', readAgain)
    return () => document.removeEventListener('visibilitychange', readAgain)
  }, [reload])
  const blocks = usePages((store) => store.blocks)
  if (value !== null) last = value
  // Compared as JSON: reloading equal settings causes no re-render.
  const settings = JSON.stringify(last ?? {})
  return useMemo(
    () => ({
      settings: asShown(JSON.parse(settings)),
      settingLabels: Object.fromEntries(
        (Object.keys(settingMessages) as SettingName[]).map((one) => [
          one,
          settingMessages[one].label,
        ]),
      ),
      blocks: blocks ?? [],
    }),
    [settings, blocks],
  )
}
