// Shows both versions of each conflicting field side by side; nothing is preselected.
import { useId, useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { timeText } from '../../lib/panel-date-format'
import type { Value } from '../api/schema'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import styles from './conflict-dialog.module.css'
import type { FieldConflict } from './merge-fields'
import { conflictMessages as own } from './messages'
import type { ChooseFields, ConflictQuestion } from './save-with-merge'

type Side = 'mine' | 'other'

type ConflictProps = {
  /** Name of the item, to be used inside a sentence. */
  what: string
  /** Time of the other side's save, if known. */
  savedAt: string | null
  labelOf: (name: string) => string
  question: Pick<ConflictQuestion<unknown>, 'clashes' | 'same' | 'isAgain'>
  /** Shown above a field: why it needs a choice. */
  noteOf?: (name: string) => string | null
  /** Number of changes of one side that are merged without asking. */
  joined?: number
  /** The author of the other change is known, so the text does not mention another tab. */
  said?: { readonly title: string; readonly text: string }
  /** Image of each side, shown above its text. */
  pictureOf?: (name: string, side: Side) => string | null
  /** Called with the fields to take from the other side; null to decide later. */
  onAnswer: (theirs: readonly string[] | null) => void
}

export function ConflictDialog(props: ConflictProps) {
  const { what, savedAt, labelOf, question, joined = 0, onAnswer } = props
  const { noteOf = () => null, pictureOf = () => null, said } = props
  const { clashes, same, isAgain } = question
  const time = savedAt === null ? null : timeText(new Date(savedAt))
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const chosen = clashes.filter(({ name }) => sides[name] !== undefined).length
  const all = (side: Side) => setSides(Object.fromEntries(clashes.map(({ name }) => [name, side])))
  const answer = () =>
    onAnswer(clashes.map(({ name }) => name).filter((name) => sides[name] === 'other'))
  const footer = (
    <>
      <p className={styles.count} role="status">
        {own.chosen(chosen, clashes.length)}
      </p>
      <Button tone="quiet" onClick={() => onAnswer(null)}>
        {own.later}
      </Button>
      <Button disabled={chosen < clashes.length} onClick={answer}>
        {own.publish}
      </Button>
    </>
  )
  return (
    <Dialog
      title={said?.title ?? own.title}
      onClose={() => onAnswer(null)}
      size="large"
      footer={footer}
    >
      <p className={styles.text}>{isAgain ? own.again : (said?.text ?? own.text(what, time))}</p>
      {clashes.length < 2 ? null : (
        <div className={styles.all}>
          <Button tone="outline" small onClick={() => all('mine')}>
            {own.keepAllMine}
          </Button>
          <Button tone="outline" small onClick={() => all('other')}>
            {own.takeAllOther}
          </Button>
        </div>
      )}
      {clashes.map((clash) => (
        <Choice
          key={clash.name}
          clash={clash}
          label={labelOf(clash.name)}
          note={noteOf(clash.name)}
          when={time === null ? null : `alle ${time}`}
          pictureOf={pictureOf}
          side={sides[clash.name] ?? null}
          onChoose={(side) => setSides({ ...sides, [clash.name]: side })}
        />
      ))}
      {joined < 1 ? null : <p className={styles.same}>{own.joined(joined)}</p>}
      {same < 1 ? null : <p className={styles.same}>{own.same(same)}</p>}
    </Dialog>
  )
}

type ChoiceProps = {
  clash: FieldConflict
  label: string
  note: string | null
  when: string | null
  pictureOf: (name: string, side: Side) => string | null
  side: Side | null
  onChoose: (side: Side) => void
}

function Choice({ clash, label, note, when, pictureOf, side, onChoose }: ChoiceProps) {
  const id = useId()
  const cards = [
    { of: 'mine', value: clash.mine, head: own.mine, hint: own.mineHint, act: own.keepMine },
    {
      of: 'other',
      value: clash.other,
      head: own.other,
      hint: when === null ? '' : own.otherHint(when),
      act: own.takeOther,
    },
  ] as const
  return (
    <fieldset className={styles.field} aria-label={own.fieldGroup(label)}>
      <legend>{label}</legend>
      {note === null ? null : <p className={styles.note}>{note}</p>}
      <div className={styles.sides}>
        {cards.map((card) => (
          <label
            key={card.of}
            className={classNames(styles.side, side === card.of && styles.taken)}
          >
            <span className={styles.whose}>
              <b>{card.head}</b> <small>{card.hint}</small>
            </span>
            <span className={styles.content} id={`${id}-${card.of}`}>
              <Picture src={pictureOf(clash.name, card.of)} />
              <Shown name={clash.name} value={card.value} />
            </span>
            <span className={styles.pick}>
              <input
                type="radio"
                name={`conflict-${clash.name}`}
                aria-label={card.act}
                aria-describedby={`${id}-${card.of}`}
                checked={side === card.of}
                onChange={() => onChoose(card.of)}
              />
              {card.act}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Shown({ name, value }: { name: string; value: Value }) {
  if (value === null || value === '') return <em className={styles.value}>{own.empty}</em>
  const isPicture = typeof value === 'string' && value.startsWith('/objects/uploads/')
  if (isPicture && /image/i.test(name)) return <Picture src={value} />
  const text = typeof value === 'boolean' ? (value ? 'sì' : 'no') : String(value)
  return <span className={styles.value}>{text}</span>
}

function Picture({ src }: { src: string | null }) {
  return src === null ? null : <img className={styles.picture} src={src} alt="" />
}

type Asked<Answer> = {
  readonly question: ConflictQuestion<Answer>
  readonly answer: (theirs: readonly string[] | null) => void
}

/** Asks with the dialog: render it while `asked` is not null. */
export function useConflict<Answer>(): {
  readonly asked: Asked<Answer> | null
  readonly choose: ChooseFields<Answer>
} {
  const [asked, setAsked] = useState<Asked<Answer> | null>(null)
  const choose: ChooseFields<Answer> = (question) =>
    new Promise((resolve) => {
      const answer = (theirs: readonly string[] | null) => {
        setAsked(null)
        resolve(theirs)
      }
      setAsked({ question, answer })
    })
  return { asked, choose }
}
