// A setting that the address names: one press from where it was found.
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
