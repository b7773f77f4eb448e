// What the site says of her before she has said it: true, to be rewritten, or hidden until it is.
import { Check } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Badge } from '../parts/badge'
import { Bar } from '../parts/bar'
import { Button } from '../parts/button'
import { Confirm } from '../parts/confirm'
import { goTo } from '../routes'
import { toastDone } from '../toast-store'
import styles from './confirm.module.css'
import type { Block } from './contract'
import { CERTIFICATE, factName, factsIn, isOpen, markTrue, QUOTE } from './facts'
import { draftOf, edit, revert, usePages } from './pages-store'
import { Passage } from './passage'
import { editHref, homeOf } from './site-pages'
import type { Known } from './text-parts'
import { fill, wording } from './wording'

const { confirm: own } = wording

export function ConfirmPanel({ known }: { known: Known }) {
  const store = usePages()
  const facts = factsIn(store.blocks ?? [])
  const open = facts.filter(isOpen)
  const done = facts.length - open.length
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
      <Bar share={done / facts.length} />
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
  const hides = usePages((store) => draftOf(store, block).hidden)
  const page = homeOf(block)
  const details = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    // One that comes into an exclusive group beside an open one is closed by the browser.
    if (isFirst && details.current !== null) details.current.open = true
  }, [isFirst])
  const hide = () => {
    const step = edit({ block: block.id, path: '', what: own.hide, hidden: true })
    toastDone(fill(own.markedHidden, { place: factName(block) }), () => revert(step))
  }
  return (
    <details ref={details} className={styles.fact} name="to-confirm">
      <summary>
        <span>
          {factName(block)}
          <small>{[page.label, ...(block.id === QUOTE ? [own.quoteHint] : [])].join(' · ')}</small>
        </span>
        {hides ? <Badge>{wording.list.states.hidden}</Badge> : null}
      </summary>
      <Passage block={block} known={known} />
      <Answers
        block={block}
        onRewrite={() => goTo(editHref(page, `${block.id}:`).slice(1))}
        onHide={hides ? null : hide}
      />
    </details>
  )
}

type AnswersProps = {
  block: Block
  onTrue?: () => void
  onRewrite: () => void
  /** Null where it is done already. */
  onHide: (() => void) | null
}

/** The words of another person ask for their leave too. */
export function Answers({ block, onTrue, onRewrite, onHide }: AnswersProps) {
  const [asking, setAsking] = useState(false)
  const confirm = async () => {
    if (await markTrue(block)) onTrue?.()
  }
  return (
    <>
      {block.id === CERTIFICATE ? <p className={styles.soft}>{own.certificateHint}</p> : null}
      <div className={styles.answers}>
        <Button
          tone="outline"
          small
          icon={Check}
          onClick={() => (block.id === QUOTE ? setAsking(true) : void confirm())}
        >
          {own.true}
        </Button>
        <Button tone="quiet" small onClick={onRewrite}>
          {own.rewrite}
        </Button>
        {block.hideable && onHide !== null ? (
          <Button tone="quiet" small onClick={onHide}>
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
            await confirm()
            setAsking(false)
          }}
        >
          <p>{own.quoteDialog.text}</p>
        </Confirm>
      ) : null}
    </>
  )
}
