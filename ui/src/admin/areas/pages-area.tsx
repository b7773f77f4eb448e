// The pages of the site, to be edited on themselves. What draws them is loaded when it is opened.
import { CircleAlert, RotateCcw } from 'lucide'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { Button } from '../parts/button'
import { words } from '../words'
import styles from './areas.module.css'

type Props = { rest: readonly string[] }
type Loaded = { readonly Pages: ComponentType<Props> } | 'loading' | 'failed'

/** Stays when one goes from page to page. */
let loadedBefore: Loaded = 'loading'

export function PagesArea(props: Props) {
  const [loaded, setLoaded] = useState<Loaded>(loadedBefore)
  const load = () => {
    setLoaded(loadedBefore)
    import('../pages/pages').then(
      ({ Pages }) => {
        loadedBefore = { Pages }
        setLoaded(loadedBefore)
      },
      () => setLoaded('failed'),
    )
  }
  useEffect(load, [])
  if (loaded === 'loading') {
    return (
      <div className={styles.area}>
        <p className={styles.quiet} role="status">
          {words.loading}
        </p>
      </div>
    )
  }
  if (loaded === 'failed') {
    return (
      <div className={styles.area}>
        <div className={styles.failed} role="alert">
          <Icon of={CircleAlert} size={36} />
          <h2>{words.loadError.title}</h2>
          <p>{words.network}</p>
          <Button tone="outline" icon={RotateCcw} onClick={load}>
            {words.retry}
          </Button>
        </div>
      </div>
    )
  }
  return <loaded.Pages {...props} />
}
