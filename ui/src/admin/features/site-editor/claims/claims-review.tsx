// Reviews the default claims about the practitioner: confirm, rewrite, or hide until rewritten.

import { Check } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../../../../lib/class-names'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import hidden from '../../../../primitives/hidden.module.css'
import { goTo } from '../../../app/routes'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Confirm } from '../../../ui/confirm-dialog'
import { Meter } from '../../../ui/meter'
import { toastDone } from '../../../ui/toast-store'
import type { Block } from '../api/content-api'
import { wording } from '../messages'
import { editHref, homeOf } from '../model/editable-pages'
import { draftOf, edit, revert, useBlocksAndDrafts, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { ClaimText } from './claim-text'
import {
  CERTIFICATE,
  confirmClaim,
  countStatements,
  factName,
  factsIn,
  isOpen,
  isOwnText,
  QUOTE,
  statementsIn,
  undoConfirmClaim,
} from './claims-api'
import styles from './claims-review.module.css'

const {
  confirm: own,
  list: { states },
} = wording

export function ClaimsReview({ known }: { known: ChipContext }) {
  const store = useBlocksAndDrafts()
  const [unfolded, setUnfolded] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const goToFact = useAim(panel)
  const facts = factsIn(store.blocks ?? [])
  const open = facts.filter(isOpen)
  const answered = facts.filter((block) => !isOpen(block))
  const asked = open.filter((block) => !draftOf(store, block).hidden)
  if (facts.length === 0) return null
  const onAnswer = (block: Block) => {
    const next = asked[asked.indexOf(block) + 1] ?? asked.find((one) => one !== block)
    goToFact(next?.id)
  }
  const onReturn = ({ id }: Block) => goToFact(id)
  const folds = open.length > 0 && !unfolded
  return (
    <section
      ref={panel}
      className={classNames(styles.panel, folds && styles.folded)}
      aria-label={own.heading}
    >
      <h2 tabIndex={-1}>{open.length === 0 ? own.done.title : own.heading}</h2>
      <p>{open.length === 0 ? own.done.text : own.text}</p>
      {open.length === 0 ? null : <Progress {...{ answered, open, known }} />}
      {folds ? (
        <div className={styles.unfold}>
          <Button
            tone="outline"
            small
            onClick={() => {
              setUnfolded(true)
              goToFact(asked[0]?.id)
            }}
          >
            {own.continue}
          </Button>
        </div>
      ) : null}
      <div className={styles.facts}>
        {open.map((block) => (
          <Fact
            key={block.id}
            isFirst={block === asked[0]}
            {...{ block, known, onAnswer, onReturn }}
          />
        ))}
        {answered.length === 0 ? null : (
          <details className={classNames(styles.fact, styles.review)}>
            <summary>{own.done.review}</summary>
            {answered.map((block) => (
              <Fact key={block.id} isFirst={false} {...{ block, known, onAnswer, onReturn }} />
            ))}
          </details>
        )}
        <p className={styles.soft}>{own.foot}</p>
      </div>
    </section>
  )
}

type ProgressProps = {
  answered: readonly Block[]
  open: readonly Block[]
  known: ChipContext
}

/**
 * Hidden statements count neither as confirmed nor as left. Rewritten ones of an open block count as
 * done: the server counts them once the block is confirmed, and the total would jump.
 */
function Progress({ answered, open, known }: ProgressProps) {
  const shown = [...answered.filter(({ hidden }) => !hidden), ...open]
  const total = shown.reduce((sum, block) => sum + countStatements(block, known), 0)
  const left = statementsIn(open)
  const done = total - left
  return (
    <>
      <Meter share={done / total} />
      <p className={styles.progress} role="status">
        <b>{fill(own.progress, { done, total })}</b>
        <span>{counted(left, own.leftOne, own.left)}</span>
      </p>
    </>
  )
}

/** The pressed button disappears with its claim: the focus moves to another claim, or to the heading. */
function useAim(panel: { readonly current: HTMLElement | null }) {
  const [aim, setAim] = useState<{ readonly id: string | undefined } | null>(null)
  useEffect(() => {
    if (aim === null) return
    const fact = panel.current?.querySelector(`[data-fact="${aim.id ?? ''}"]`)
    if (fact instanceof HTMLDetailsElement) fact.open = true
    const target = fact?.querySelector('summary') ?? panel.current?.querySelector('h2')
    target?.focus()
  }, [aim, panel])
  return (id: string | undefined) => setAim({ id })
}

type FactProps = {
  block: Block
  known: ChipContext
  isFirst: boolean
  /** Called once the block needs no answer. */
  onAnswer: (block: Block) => void
  /** Called once the block is shown, or needs an answer, again. */
  onReturn: (block: Block) => void
}

function Fact({ block, known, isFirst, onAnswer, onReturn }: FactProps) {
  const hides = usePages((store) => draftOf(store, block).hidden)
  const page = homeOf(block)
  const details = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    // The browser closes a <details> that joins an exclusive group with an open one.
    if (isFirst && details.current !== null) details.current.open = true
  }, [isFirst])
  const place = factName(block)
  const asks = isOpen(block) && !hides
  const hide = () => {
    const step = edit({ block: block.id, path: '', what: own.hide, hidden: true })
    toastDone(fill(own.markedHidden, { place }), () => revert(step))
    if (asks) onAnswer(block)
    else onReturn(block)
  }
  const show = () => {
    edit({ block: block.id, path: '', what: own.show, hidden: false })
    onReturn(block)
  }
  const takeBack = async () => {
    if (await undoConfirmClaim(block)) onReturn(block)
  }
  const says = isOwnText(block, known) ? own.markedRewritten : own.markedTrue
  const isSaid = !isOpen(block) && !block.hidden
  return (
    <details ref={details} className={styles.fact} name="to-confirm" data-fact={block.id}>
      <summary>
        <span>
          {isSaid ? fill(says, { place }) : place}
          <small>{[page.label, ...(block.id === QUOTE ? [own.quoteHint] : [])].join(' · ')}</small>
        </span>
        {asks ? <Count of={block} /> : null}
        {hides ? <Badge>{states.hidden}</Badge> : null}
        {block.hidden && !hides ? <Badge>{states.draft}</Badge> : null}
      </summary>
      <ClaimText block={block} known={known} />
      <Answers
        block={block}
        onTrue={asks ? () => onAnswer(block) : null}
        onRewrite={() => goTo(editHref(page, `${block.id}:`).slice(1))}
        onHide={hides ? null : hide}
      >
        {hides ? (
          <Button tone="outline" small onClick={show}>
            {own.show}
          </Button>
        ) : null}
        {isSaid && !hides && !isOwnText(block, known) ? (
          <Button tone="outline" small onClick={() => void takeBack()}>
            {own.undo}
          </Button>
        ) : null}
      </Answers>
    </details>
  )
}

/** Number of statements to confirm in a block. */
function Count({ of: { statements: n } }: { of: Block }) {
  return (
    <b className={styles.count}>
      <span aria-hidden="true">{n}</span>
      <span className={hidden.hidden}>{counted(n, states.toConfirmOne, states.toConfirm)}</span>
    </b>
  )
}

type AnswersProps = {
  block: Block
  /** Null when the block needs no confirmation. */
  onTrue: (() => void) | null
  onRewrite: () => void
  /** Null when the block is hidden already. */
  onHide: (() => void) | null
  children?: ComponentChildren
}

/** Confirming the quote also asks whether its author has agreed. */
export function Answers({ block, onTrue, onRewrite, onHide, children }: AnswersProps) {
  const [asking, setAsking] = useState(false)
  const confirm = async () => {
    if (await confirmClaim(block)) onTrue?.()
  }
  return (
    <>
      {block.id === CERTIFICATE && onTrue !== null ? (
        <p className={styles.soft}>{own.certificateHint}</p>
      ) : null}
      <div className={styles.answers}>
        {onTrue === null ? null : (
          <Button
            tone="outline"
            small
            icon={Check}
            onClick={() => (block.id === QUOTE ? setAsking(true) : void confirm())}
          >
            {own.true}
          </Button>
        )}
        {children}
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
