// The guide at the side of the present screen, opened by '?' in the header and by F1.
import { Search } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { isImeKey } from '../../../lib/ime-key'
import { Icon } from '../../../primitives/icon'
import { areaHref } from '../../app/routes'
import { useDebouncedValue } from '../../hooks/use-debounced-value'
import { GUIDE_NAME, openGuideByKey, useGuide } from '../../hooks/use-guide'
import { Dialog } from '../../ui/dialog'
import { lazy } from '../../ui/lazy'
import field from '../../ui/search-field.module.css'
import styles from './guide-drawer.module.css'
import { guideMessages } from './messages'

const GuideAnswers = lazy<{ query: string }>(() =>
  import('./guide-answers').then(({ GuideAnswers }) => GuideAnswers),
)

export function GuideDrawer() {
  const isOpen = useGuide((store) => store.isOpen)
  useEffect(() => {
    window.addEventListener('keydown', openGuideByKey)
    return () => window.removeEventListener('keydown', openGuideByKey)
  }, [])
  return isOpen ? <OpenDrawer /> : null
}

function OpenDrawer() {
  const [typed, setTyped] = useState(useGuide.getState().query)
  const query = useDebouncedValue(typed)
  return (
    <Dialog
      title={GUIDE_NAME}
      size="drawer"
      onClose={useGuide.getState().close}
      footer={
        <a className={styles.whole} href={areaHref('guida')} target="_blank" rel="noopener">
          {guideMessages.whole}
        </a>
      }
    >
      <search className={`${field.field} ${styles.find}`}>
        <Icon of={Search} size={20} />
        <input
          type="search"
          value={typed}
          aria-label={guideMessages.find}
          placeholder={guideMessages.placeholder}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Escape clears a search field; in WebKit it does not reach the dialog from an empty one either.
            if (event.key !== 'Escape' || typed !== '' || isImeKey(event)) return
            event.preventDefault()
            useGuide.getState().close()
          }}
        />
      </search>
      <GuideAnswers query={query} />
    </Dialog>
  )
}
