// What the site says of her before she has said it: true, to be rewritten, or hidden until it is.
import { Check } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Badge } from '../parts/badge'
import { Button } from '../parts/button'
import { Confirm } from '../parts/confirm'
import { goTo } from '../routes'
import { toastDone } from '../toast-store'
import { wordText } from './clashes'
import styles from './confirm.module.css'
import { type Confirmed, keepConfirmed } from './confirmed'
import type { Block } from './contract'
import { draftOf, edit, undo, usePages } from './pages-store'
import { editHref, homeOf } from './site-pages'
import type { Known } from './text-parts'
import { leavesOf } from './value'
import { fill, wording } from './wording'

const { confirm: own } = wording

/** Blocks that speak of her life and of other people. What she has rewritten is hers. */
const FACTS: Readonly<Record<string, string>> = {
  'chi-sono.biography': own.facts.biography,
  'chi-sono.timeline': own.facts.timeline,
  'chi-sono.experience': own.facts.experience,
  'home.quote': own.facts.quote,
  'chi-sono.book': own.facts.book,
  'footer.certificate': own.facts.certificate,
}
const QUOTE = 'home.quote'
const CERTIFICATE = 'footer.certificate'

/** As published now; a draft confirms nothing, and an answer holds for the words it was given for. */
export function isOpen(block: Block, confirmed: Confirmed): boolean {
  const isHers = block.changed || block.hidden || confirmed[block.id] === block.version
  return block.id in FACTS && !isHers
}

export function ConfirmPanel({ known }: { known: Known }) {
  const store = usePages()
  const order = Object.keys(FACTS)
  const facts = order.flatMap((id) => store.blocks?.find((block) => block.id === id) ?? [])
  const open = facts.filter((block) => isOpen(block, store.confirmed))
  const done = facts.length - open.length
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // The content security policy forbids style attributes; the style object is not one.
    bar.current?.style.setProperty('--share', `${(done / Math.max(1, facts.length)) * 100}%`)
  }, [done, facts.length])
  if (facts.length === 0) return null
  if (open.length === 0) {
    return (
      <section className={styles.panel} aria-label={own.heading}>
        <h2>{own.done.title}</h2>
        <p>{own.done.text}</p>
      </section>
    )
  }
  return (
    <section className={styles.panel} aria-label={own.heading}>
      <h2>{own.heading}</h2>
      <p>{own.text}</p>
      <div className={styles.meter} ref={bar} aria-hidden="true">
        <span />
      </div>
      <p className={styles.progress} role="status">
        <b>{fill(own.progress, { done, total: facts.length })}</b>
        <span>{open.length === 1 ? own.leftOne : fill(own.left, { n: open.length })}</span>
      </p>
      {open.map((block, index) => (
        <Fact key={block.id} block={block} known={known} isFirst={index === 0} />
      ))}
      <p className={styles.soft}>{own.foot}</p>
    </section>
  )
}

type FactProps = { block: Block; known: Known; isFirst: boolean }

function Fact({ block, known, isFirst }: FactProps) {
  const [asking, setAsking] = useState(false)
  const hides = usePages((store) => draftOf(store, block).hidden)
  const place = FACTS[block.id] ?? block.label
  const page = homeOf(block)
  const confirm = () => markTrue(block, place)
  const hide = () => {
    edit({ block: block.id, path: '', what: own.hide, hidden: true })
    toastDone(fill(own.markedHidden, { place }), () => void undo())
  }
  return (
    <details className={styles.fact} name="to-confirm" open={isFirst}>
      <summary>
        <span>
          {place}
          <small>{[page.label, ...(block.id === QUOTE ? [own.quoteHint] : [])].join(' · ')}</small>
        </span>
        {hides ? <Badge>{wording.list.states.hidden}</Badge> : null}
      </summary>
      <blockquote>{excerptOf(block, known)}</blockquote>
      {block.id === CERTIFICATE ? <p className={styles.soft}>{own.certificateHint}</p> : null}
      <div className={styles.answers}>
        <Button
          tone="outline"
          small
          icon={Check}
          onClick={() => (block.id === QUOTE ? setAsking(true) : confirm())}
        >
          {own.true}
        </Button>
        <Button tone="quiet" small onClick={() => goTo(editHref(page, `${block.id}:`).slice(1))}>
          {own.rewrite}
        </Button>
        {block.hideable && !hides ? (
          <Button tone="quiet" small onClick={hide}>
            {own.hide}
          </Button>
        ) : null}
      </div>
      {block.hideable ? null : <p className={styles.soft}>{own.cannotHide}</p>}
      {asking ? (
        <Confirm
          question={own.quoteDialog.title}
          confirm={own.quoteDialog.confirm}
          tone="primary"
          icon={Check}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            confirm()
            setAsking(false)
          }}
        >
          <p>{own.quoteDialog.text}</p>
        </Confirm>
      ) : null}
    </details>
  )
}

const EXCERPT_MAX = 320

function excerptOf(block: Block, known: Known): string {
  const text = leavesOf(block.fields, block.value)
    .filter(({ field }) => ['line', 'paragraphs', 'richText', 'year'].includes(field.type))
    .map(({ word }) => wordText(word, known))
    .filter((one) => one !== '')
    .join(' · ')
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text
}

function markTrue(block: Block, place: string): void {
  const { confirmed } = usePages.getState()
  keepConfirmed({ ...confirmed, [block.id]: block.version })
  toastDone(fill(own.markedTrue, { place }), () => keepConfirmed(confirmed))
}
