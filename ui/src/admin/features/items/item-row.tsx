// One row of an item list: its facts, where visitors see it, and its actions.
import { ArrowDown, ArrowUp, ExternalLink, GripVertical, ImageOff, Minus, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { dayText } from '../../../lib/panel-date-format'
import { isSoldOut } from '../../../lib/places-left'
import { type EventStatus, EventStatusBadge } from '../../../primitives/event-status-badge'
import { Icon } from '../../../primitives/icon'
import { changePlaces, duplicate, reopenEvent, togglePublished } from '../../api/item-actions'
import { kindLabels } from '../../api/kind-labels'
import { scheduleLines } from '../../api/schedule'
import {
  fieldOf,
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  pagePath,
  textOf,
  titleOf,
} from '../../api/schema'
import { areaHref, goTo } from '../../app/routes'
import { hasNewRelease } from '../../hooks/use-new-release'
import { Badge } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Stars } from '../../ui/fields/stars-field'
import { Switch } from '../../ui/fields/switch-field'
import { deleteLabel, words } from '../../ui/messages'
import { thumbnailUrl } from '../../ui/thumbnail'
import { toastFailed } from '../../ui/toast-store'
import { useTooltip } from '../../ui/tooltip'
import { formMessages } from './form-messages'
import styles from './item-row.module.css'
import { listMessages } from './list-messages'
import { heldProblems } from './load-publish-check'
import {
  dragLabel,
  editLabel,
  itemMessages,
  moveDownLabel,
  moveUpLabel,
  placesText,
} from './messages'

/** Returns the target index of a row from its index and the length of the list. */
type Step = (index: number, total: number) => number

type Move = {
  first: boolean
  last: boolean
  up: () => void
  down: () => void
  /** Moves the row to the index that the pressed key of the handle stands for. */
  to: (place: Step) => void
  /** Opens the dialog that asks for the position. */
  ask: () => void
}

/** A dialog that a row opens besides the form. */
export type RowDialog = 'repeat' | 'share'

type ItemRowProps = {
  kind: Kind
  item: Item
  position: number
  move: Move | null
  /** Heading level of the row's title: one below the heading of its list. */
  level: 2 | 3
  onEdit: () => void
  onDelete: () => void
  onDialog: (what: RowDialog) => void
  /** Called with the copy, so that its date can be entered. */
  onMade: (copy: Item) => void
  /** Called in place of publishing, with what has to be settled first. */
  onHeld: (problems: Readonly<Record<string, string>>) => void
}

export function ItemRow({
  kind,
  item,
  position,
  move,
  level,
  onEdit,
  onDelete,
  onDialog,
  onMade,
  onHeld,
}: ItemRowProps) {
  const title = titleOf(item, words.untitled)
  const own = listMessages[kind]
  const { statusTexts } = own
  const status = statusTexts === undefined ? null : eventStatusOf(item)
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <li
      className={styles.row}
      data-item={item.id}
      data-movable={move !== null}
      data-status={status}
    >
      {move === null ? null : <MoveControls title={title} move={move} />}
      <Thumb kind={kind} item={item} position={move === null ? null : position} />
      <div className={styles.what}>
        <Heading>{title}</Heading>
        <Meta kind={kind} item={item} />
        {status === null || statusTexts === undefined ? null : (
          <EventStatusBadge kind={status} text={statusTexts[status].text} />
        )}
        {status === 'cancelled' ? null : <Places kind={kind} item={item} title={title} />}
        <p className={styles.text}>{textOf(item, own.rowText)}</p>
        <Warnings kind={kind} item={item} />
      </div>
      <div className={styles.state}>
        <Where kind={kind} item={item} />
        <Switch
          label={`${kindLabels[kind].status.switch}: ${title}`}
          checked={item.published}
          onChange={() => void publish(kind, item, onHeld)}
          bare
        />
      </div>
      <div className={styles.acts}>
        {status === null || statusTexts === undefined ? null : (
          <Act
            text={statusTexts[status].undo}
            label={`${statusTexts[status].undo}: ${title}`}
            onClick={() => void reopenEvent(kind, item, status, formMessages[kind].updated)}
          />
        )}
        <Act text={words.edit} label={editLabel(title)} onClick={onEdit} />
        {own.dateTexts === undefined ? null : (
          <Act
            text="Duplica"
            label={`Duplica per una nuova data: ${title}`}
            onClick={async () => {
              const copy = await duplicate(kind, item)
              if (copy !== null) onMade(copy)
            }}
          />
        )}
        {own.dateTexts === undefined ? null : (
          <Act text="Ripeti" label={`Ripeti: ${title}`} onClick={() => onDialog('repeat')} />
        )}
        {own.dateTexts === undefined || !item.published ? null : (
          <Act text="Condividi" label={`Condividi: ${title}`} onClick={() => onDialog('share')} />
        )}
        {pagePath(kind, item) === null || !item.published ? null : (
          <Act
            text="Newsletter"
            label={`${itemMessages.newsletterFrom}: ${title}`}
            onClick={() => void writeFrom(kind, item)}
          />
        )}
        <Act text={words.remove} label={deleteLabel(title)} onClick={onDelete} />
      </div>
    </li>
  )
}

type ActProps = { text: string; label: string; onClick: () => void }

function Act({ text, label, onClick }: ActProps) {
  return (
    <Button tone="quiet" small label={label} onClick={onClick}>
      {text}
    </Button>
  )
}

type PlacesProps = { kind: Kind; item: Item; title: string }

/** The number of places left, changed one by one; nothing while the event has none. */
function Places({ kind, item, title }: PlacesProps) {
  const [isBusy, setIsBusy] = useState(false)
  const { placesLeft } = item
  if (typeof placesLeft !== 'number') return null
  const change = async (step: 1 | -1) => {
    setIsBusy(true)
    await changePlaces(kind, item, step)
    setIsBusy(false)
  }
  return (
    <p className={styles.places}>
      <IconButton
        label={`Un posto in meno: ${title}`}
        icon={Minus}
        disabled={isBusy || placesLeft === 0}
        onClick={() => void change(-1)}
      />
      <b role="status">{placesText(placesLeft)}</b>
      <IconButton
        label={`Un posto in più: ${title}`}
        icon={Plus}
        disabled={isBusy}
        onClick={() => void change(1)}
      />
    </p>
  )
}

/** Cancelled takes precedence, as on the site. */
function eventStatusOf(item: Item): EventStatus | null {
  const { cancelled, soldOut, placesLeft } = item
  if (cancelled === true) return 'cancelled'
  return isSoldOut({ soldOut, placesLeft }) ? 'soldOut' : null
}

/** Switches the publication, unless an open question holds it. */
async function publish(kind: Kind, item: Item, onHeld: ItemRowProps['onHeld']) {
  const held =
    item.published || formMessages[kind].publishButton === undefined
      ? {}
      : await heldProblems(kind, formValues(kind, item), item)
  if (Object.keys(held).length > 0) onHeld(held)
  else await togglePublished(kind, item)
}

/** Creates a newsletter draft from the item and opens it in the newsletter area. */
async function writeFrom(kind: Kind, item: Item) {
  // biome-ignore lint/style/noRestrictedImports: a row can begin a newsletter
  const part = await import('../newsletter/create-from-item').catch(() => null)
  if (part === null) {
    toastFailed(words.loadError.title, (await hasNewRelease()) ? words.renewed : words.network)
    return
  }
  const made = await part.createFromItem(kind, item)
  if (made !== null) goTo(`${areaHref('newsletter')}/${made.id}`)
}

const GRIP_HINT = 'Trascina, premi per scrivere la posizione, oppure usa le frecce della tastiera'

const KEYS: Readonly<Record<string, Step>> = {
  ArrowUp: (index) => index - 1,
  ArrowDown: (index) => index + 1,
  PageUp: (index) => index - 10,
  PageDown: (index) => index + 10,
  Home: () => 0,
  End: (_, total) => total - 1,
}

function MoveControls({ title, move }: { title: string; move: Move }) {
  const tooltip = useTooltip(GRIP_HINT)
  return (
    <div className={styles.move}>
      <button
        type="button"
        className={styles.grip}
        data-move="grip"
        // A press asks for the position. Screen readers leave their browse mode for it, so the arrow keys arrive here.
        aria-haspopup="dialog"
        aria-label={dragLabel(title)}
        aria-description={GRIP_HINT}
        {...tooltip.on}
        onKeyDown={(event) => {
          const step = KEYS[event.key]
          if (step === undefined) return
          event.preventDefault()
          move.to(step)
        }}
        onClick={move.ask}
      >
        <Icon size={20} of={GripVertical} />
        {tooltip.bubble}
      </button>
      <button
        type="button"
        className={styles.arrow}
        data-move="up"
        aria-label={moveUpLabel(title)}
        disabled={move.first}
        onClick={move.up}
      >
        <Icon size={20} of={ArrowUp} />
      </button>
      <button
        type="button"
        className={styles.arrow}
        data-move="down"
        aria-label={moveDownLabel(title)}
        disabled={move.last}
        onClick={move.down}
      >
        <Icon size={20} of={ArrowDown} />
      </button>
    </div>
  )
}

function Thumb({ kind, item, position }: { kind: Kind; item: Item; position: number | null }) {
  const number = position === null ? null : <span className={styles.position}>{position}</span>
  if (!kindSpecs[kind].picture) {
    return (
      <span className={styles.letter} aria-hidden="true">
        {titleOf(item, '·').slice(0, 1).toUpperCase()}
        {number}
      </span>
    )
  }
  const src = thumbnailUrl(item.image, 152)
  return (
    <span className={styles.thumb} aria-hidden="true">
      {src === null ? <Icon of={ImageOff} size={28} /> : <img src={src} alt="" loading="lazy" />}
      {number}
    </span>
  )
}

/** The facts below the title, each formatted by the type of its field. */
function Meta({ kind, item }: { kind: Kind; item: Item }) {
  const facts = listMessages[kind].rowMeta.map((name) => ({ name, fact: fact(kind, item, name) }))
  const shown = facts.filter(({ fact }) => fact !== null)
  const date = kindSpecs[kind].dated ? <span>{dayText(item.createdAt)}</span> : null
  if (shown.length === 0 && date === null) return null
  return (
    <div className={styles.meta}>
      {date}
      {shown.map(({ name, fact: node }) => (
        <span key={name} data-fact={name}>
          {node}
        </span>
      ))}
    </div>
  )
}

function fact(kind: Kind, item: Item, name: string) {
  const value = fieldOf(item, name)
  const spec = kindSpecs[kind].fields[name]
  if (typeof value === 'number') return <Stars value={value} />
  if (typeof value !== 'string' || value === '') {
    const replacements: Readonly<Record<string, string>> = listMessages[kind].shownWhenEmpty ?? {}
    const instead = replacements[name]
    return instead === undefined ? null : <em>{instead}</em>
  }
  if (spec?.type !== 'url') return value
  return (
    <a href={value} target="_blank" rel="noopener noreferrer">
      {value.replace(/^https?:\/\//, '')}
    </a>
  )
}

function Warnings({ kind, item }: { kind: Kind; item: Item }) {
  const described = item.imageDecorative === true || textOf(item, 'imageAlt') !== ''
  if (!kindSpecs[kind].picture || item.image === null || item.image === undefined || described) {
    return null
  }
  return <p className={styles.warning}>Manca il testo alternativo della foto</p>
}

/** Badge for published or not, with a link to the page that shows the item. */
function Where({ kind, item }: { kind: Kind; item: Item }) {
  const own = kindLabels[kind]
  if (!item.published) {
    return (
      <span className={styles.where}>
        <Badge>{own.status.off}</Badge>
        <small>Non compare sul sito</small>
        <Planned item={item} />
      </span>
    )
  }
  const path = pagePath(kind, item) ?? own.where.path
  return (
    <span className={styles.where}>
      <Badge tone="good">{own.status.on}</Badge>
      <a href={path} target="_blank" rel="noopener">
        Visibile in {own.where.label}
        <Icon of={ExternalLink} size={14} />
      </a>
      <Planned item={item} />
    </span>
  )
}

function Planned({ item }: { item: Item }) {
  const lines = scheduleLines(item.plan, item.published)
  return lines.map((line) => (
    <small key={line} className={styles.planned}>
      {line}
    </small>
  ))
}
