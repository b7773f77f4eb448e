// The end of the first steps: what speaks of her, one passage at a time; it can be left at any moment.
import { ArrowRight } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { Doorway } from '../doorway'
import { Button } from '../parts/button'
import { goTo } from '../routes'
import { words } from '../words'
import { Answers } from './confirm'
import styles from './confirm.module.css'
import { factName, factsIn, hideNow, isOpen } from './facts'
import { loadBlocks, usePages } from './pages-store'
import { Passage } from './passage'
import { editHref, homeOf } from './site-pages'
import { useKnown } from './use-known'
import { fill, wording } from './wording'

const own = wording.confirm.firstSteps

export function ConfirmSteps({ onDone }: { onDone: () => void }) {
  const known = useKnown()
  const { blocks, error } = usePages()
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const [index, setIndex] = useState(0)
  useEffect(() => void loadBlocks(), [])
  useEffect(() => {
    if (blocks !== null && asked === null) {
      setAsked(factsIn(blocks).flatMap((block) => (isOpen(block) ? [block.id] : [])))
    }
  }, [blocks, asked])
  const isOver = error !== null || (asked !== null && index >= asked.length)
  useEffect(() => {
    if (isOver) onDone()
  }, [isOver, onDone])
  const block = blocks?.find(({ id }) => id === asked?.[index])
  const total = asked?.length ?? 0
  const next = () => setIndex(index + 1)
  // The button that led here went with the passage before.
  const passage = useRef<HTMLElement>(null)
  useEffect(() => {
    if (index > 0) passage.current?.focus()
  }, [index])
  return (
    <Doorway
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
            <b>{fill(own.step, { n: index + 1, total })}</b>
            <span>{factName(block)}</span>
          </p>
          <Passage block={block} known={known} />
          <Answers
            block={block}
            onTrue={next}
            onRewrite={() => {
              onDone()
              goTo(editHref(homeOf(block), `${block.id}:`).slice(1))
            }}
            onHide={async () => {
              if (await hideNow(block)) next()
            }}
          />
          <Button onClick={next}>
            {index + 1 === total ? own.finish : own.next}
            <Icon size={20} of={ArrowRight} />
          </Button>
        </section>
      )}
    </Doorway>
  )
}
