// The contents area: one tab per collection.
import { useEffect, useRef } from 'preact/hooks'
import { useItems } from '../api/items-store'
import { CONTENT_KINDS, kindLabels } from '../api/kind-labels'
import type { Kind } from '../api/schema'
import { useSiteStatus } from '../api/site-status'
import { ItemsPanel } from '../features/items/items-panel'
import {
  ConfirmReminder,
  RestoredReminder,
  SetUpReminder,
} from '../features/onboarding/onboarding-banner'
import { lazyAddition } from '../ui/lazy'
import { words } from '../ui/messages'
import { shellMessages } from './messages'
import { goTo, kindHref, useRoute } from './routes'
import styles from './shell.module.css'

const ReleaseReminder = lazyAddition(() =>
  import('../features/release/release-reminder').then(({ ReleaseReminder }) => ReleaseReminder),
)

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function ContentsArea() {
  const { kind } = useRoute()
  const lists = useItems((store) => store.lists)
  const load = useItems((store) => store.load)
  const tabs = useRef<HTMLDivElement>(null)
  const version = useSiteStatus((store) => store.status?.version) ?? ''
  const newer = useSiteStatus((store) => store.status?.newerRelease) ?? null

  // Loads each list once, so that the tabs show their counts.
  useEffect(() => {
    for (const one of CONTENT_KINDS) {
      if (useItems.getState().lists[one] === undefined) void load(one)
    }
  }, [load])

  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    const tab = tabs.current?.querySelector(`[data-kind="${kind}"]`)
    tab?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [kind])

  const onKeyDown = (event: KeyboardEvent) => {
    // Starts at the focused tab: a second key press can precede the render of the first.
    const focused = document.activeElement?.getAttribute('data-kind')
    const next = neighbour(CONTENT_KINDS.find((one) => one === focused) ?? kind, event.key)
    if (next === null) return
    event.preventDefault()
    goTo(kindHref(next))
    tabs.current?.querySelector<HTMLElement>(`[data-kind="${next}"]`)?.focus()
  }

  return (
    <>
      <div className={styles.top}>
        <h1 tabIndex={-1}>{words.title}</h1>
        <p>{shellMessages.subtitle}</p>
        <RestoredReminder />
        <SetUpReminder />
        <ConfirmReminder />
        {newer === null ? null : <ReleaseReminder version={version} newer={newer} />}
      </div>
      <div className={styles.tabs}>
        <div
          ref={tabs}
          className={styles.tablist}
          role="tablist"
          tabIndex={-1}
          aria-label={shellMessages.tabs}
          onKeyDown={onKeyDown}
        >
          {CONTENT_KINDS.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`tab-${one}`}
              data-kind={one}
              aria-selected={one === kind}
              // Only the selected tab has its panel in the document.
              {...(one === kind ? { 'aria-controls': `panel-${one}` } : {})}
              tabIndex={one === kind ? 0 : -1}
              onClick={() => goTo(kindHref(one))}
            >
              {kindLabels[one].label}
              <Count of={lists[one]?.total} />
            </button>
          ))}
        </div>
      </div>
      <div
        className={styles.wrap}
        role="tabpanel"
        id={`panel-${kind}`}
        aria-labelledby={`tab-${kind}`}
      >
        <ItemsPanel key={kind} kind={kind} level={2} />
      </div>
    </>
  )
}

function Count({ of }: { of: number | undefined }) {
  return of === undefined ? null : <span aria-hidden="true">{of}</span>
}

function neighbour(kind: Kind, key: string): Kind | null {
  if (key === 'Home') return CONTENT_KINDS[0] ?? null
  if (key === 'End') return CONTENT_KINDS.at(-1) ?? null
  const step = STEPS[key]
  if (step === undefined) return null
  const count = CONTENT_KINDS.length
  return CONTENT_KINDS[(CONTENT_KINDS.indexOf(kind) + step + count) % count] ?? null
}
