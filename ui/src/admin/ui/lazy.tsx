// Wraps a component whose chunk loads on first render; the panel's first screen does not wait for
// it.
import { CircleAlert, RotateCcw } from 'lucide'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { useNewRelease } from '../hooks/use-new-release'
import { Button } from './button'
import { words } from './messages'
import styles from './page-layout.module.css'

/**
 * Renders nothing until its chunk is loaded, or when that fails: for additions to what works without them. `onFailure` is
 * for those that the admin asked for.
 */
export function lazyAddition<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void = () => undefined,
): ComponentType<Props> {
  return function Addition(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
    useEffect(() => {
      load().then((component) => setLoaded(() => component), onFailure)
    }, [])
    return Loaded === null ? null : <Loaded {...props} />
  }
}

type Loaded<Props> = { readonly Area: ComponentType<Props> } | 'loading' | 'failed'

type LazyComponent<Props> = ComponentType<Props> & {
  /** Loads the chunk ahead, so that the first render is synchronous; a failure shows at that render only. */
  readonly preload: () => void
}

export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  // Outlives the component, so that the second render is synchronous.
  let loadedBefore: Loaded<Props> = 'loading'
  const loadChunk = async () => {
    loadedBefore = { Area: await load() }
  }
  function Later(props: Props) {
    const [loaded, setLoaded] = useState<Loaded<Props>>(loadedBefore)
    const begin = () => {
      setLoaded(loadedBefore)
      loadChunk().then(
        () => setLoaded(loadedBefore),
        () => setLoaded('failed'),
      )
    }
    useEffect(begin, [])
    if (loaded === 'loading') {
      return (
        <div className={styles.area}>
          <p className={styles.quiet} role="status">
            {words.loading}
          </p>
        </div>
      )
    }
    if (loaded === 'failed') return <Failed onRetry={begin} />
    return <loaded.Area {...props} />
  }
  return Object.assign(Later, { preload: () => void loadChunk().catch(() => undefined) })
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const renewed = useNewRelease()
  return (
    <div className={styles.area}>
      <div className={styles.failed} role="alert">
        <Icon of={CircleAlert} size={36} />
        <h2>{words.loadError.title}</h2>
        <p>{renewed ? words.renewed : words.network}</p>
        <Button
          tone="outline"
          icon={RotateCcw}
          onClick={renewed ? () => location.reload() : onRetry}
        >
          {renewed ? words.reload : words.retry}
        </Button>
      </div>
    </div>
  )
}
