// Scrolls to the setting that the URL names and focuses it.
import { useEffect } from 'preact/hooks'
import { useRoute } from '../../app/routes'

export function useFocusSettingFromUrl(): void {
  const [name] = useRoute().rest
  useEffect(() => {
    const field = name === undefined ? null : document.getElementById(name)
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [name])
}
