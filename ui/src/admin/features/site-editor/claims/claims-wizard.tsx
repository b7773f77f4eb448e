// Last step of the onboarding: confirms the default claims one by one; can be left at any time.
import { ArrowRight } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { Icon } from '../../../../primitives/icon'
import { goTo } from '../../../app/routes'
import { AuthLayout } from '../../../auth/auth-layout'
import { Button } from '../../../ui/button'
import { words } from '../../../ui/messages'
import type { Block } from '../api/content-api'
import { wording } from '../messages'
import { editHref, homeOf } from '../model/editable-pages'
import { loadBlocks, usePages } from '../model/pages-store'
import { useChipContext } from '../model/use-chip-context'
import { ClaimText } from './claim-text'
import { factName, factsIn, hideClaim, isOpen, statementsIn } from './claims-api'
import { Answers } from './claims-review'
import styles from './claims-review.module.css'

const own = wording.confirm.firstSteps

export function ClaimsWizard({ onDone }: { onDone: () => void }) {
  const known = useChipContext()
  const blocks = usePages((store) => store.blocks)
  const error = usePages((store) => store.error)
  const [asked, setAsked] = useState<readonly Block[] | null>(null)
  const [index, setIndex] = useState(0)
  useEffect(() => void loadBlocks(), [])
  useEffect(() => {
    if (blocks !== null && asked === null) {
      setAsked(factsIn(blocks).filter(isOpen))
    }
  }, [blocks, asked])
  const isOver = error !== null || (asked !== null && index >= asked.length)
  useEffect(() => {
    if (isOver) onDone()
  }, [isOver, onDone])
  const passages = (asked ?? []).flatMap(({ id }) => blocks?.find((one) => one.id === id) ?? [])
  const block = passages[index]
  const next = () => setIndex(index + 1)
  // The focused button disappeared with the previous passage.
  const passage = useRef<HTMLElement>(null)
  useEffect(() => {
    if (index > 0) passage.current?.focus()
  }, [index])
  return (
    <AuthLayout
      title={own.title}
      text={own.text}
      isStep
      after={
        <Button tone="quiet" onClick={onDone}>
          {own.later}
        </Button>
      }
    >
      {block === undefined ? (
        <p role="status">{words.loading}</p>
      ) : (
        <section
          key={block.id}
          ref={passage}
          tabIndex={-1}
          className={styles.step}
          aria-label={factName(block)}
        >
          <p className={styles.progress}>
            <b>{progressText(asked ?? [], index)}</b>
            <span>{factName(block)}</span>
          </p>
          <ClaimText block={block} known={known} />
          <Answers
            block={block}
            onTrue={next}
            onRewrite={() => {
              onDone()
              goTo(editHref(homeOf(block), `${block.id}:`).slice(1))
            }}
            onHide={async () => {
              if (await hideClaim(block)) next()
            }}
          />
          <Button onClick={next}>
            {index + 1 === passages.length ? own.finish : own.next}
            <Icon size={20} of={ArrowRight} />
          </Button>
        </section>
      )}
    </AuthLayout>
  )
}

/** Counts statements as the status and 'Pagine' do: each milestone and each paragraph, including answered ones. */
export function progressText(passages: readonly Block[], index: number): string {
  const before = statementsIn(passages.slice(0, index))
  const last = statementsIn(passages.slice(0, index + 1))
  const total = statementsIn(passages)
  return fill(last - before > 1 ? own.steps : own.step, { n: before + 1, last, total })
}
