// One change set: each change before and after side by side, and the way back.
import { Info, Lock, RotateCcw } from 'lucide'
import { useId, useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { dayText, timeText } from '../../../lib/panel-date-format'
import { counted } from '../../../lib/plural'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import { reasonOf } from '../../api/client'
import { useLoad } from '../../api/use-load'
import { useIsOwner } from '../../auth/session-store'
import type { Block } from '../../features/site-editor/api/content-api'
import { homeOf } from '../../features/site-editor/model/editable-pages'
import type { ChipContext } from '../../features/site-editor/model/rich-value'
import { type Piece, pieces } from '../../features/site-editor/versions/text-diff'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import marked from '../../ui/marked-changes.module.css'
import { words } from '../../ui/messages'
import { WhenLoaded } from '../../ui/page-layout'
import { toastDone, toastFailed, toastProof } from '../../ui/toast-store'
import { blockOf, type ChangedField, changedFields, nameOf, type Side } from './changed-fields'
import styles from './history.module.css'
import {
  type Change,
  type ChangeSet,
  PATH,
  putBack,
  type Scope,
  type SitePreview,
  type SiteStep,
} from './history-api'
import { ACTIONS, historyMessages as own } from './messages'

/** A moment that the whole site returns to, in words too. */
export type SiteTarget = { readonly moment: number; readonly when: string }

type DetailProps = {
  changeSet: ChangeSet
  blocks: readonly Block[]
  known: ChipContext
  /** Whether the state of the whole site before it is known. */
  isSiteKnown: boolean
  onSite: (target: SiteTarget) => void
  onReturned: () => void
}

export function ChangeSetDetail(props: DetailProps) {
  const { changeSet } = props
  const isCut = changeSet.changes.some((change) => change.isCut)
  return isCut ? <Whole {...props} /> : <Detail {...props} />
}

function Whole(props: DetailProps) {
  const data = useLoad<ChangeSet>(`${PATH}/${props.changeSet.moment}`)
  return (
    <WhenLoaded data={data}>
      {(changeSet) => <Detail {...props} changeSet={changeSet} />}
    </WhenLoaded>
  )
}

function Detail({ changeSet, blocks, known, isSiteKnown, onSite, onReturned }: DetailProps) {
  const isOwner = useIsOwner()
  const isErased = changeSet.changes.every(({ action }) => action === 'erased')
  const isOwnerOnly = !isOwner && changeSet.changes.some(({ kind }) => kind === 'settings')
  const scopes = scopesOf(changeSet, blocks, { isOwner, isSiteKnown })
  const [chosen, setChosen] = useState(0)
  const [busy, setBusy] = useState(false)
  const scope = scopes[chosen]?.scope
  const go = async () => {
    if (scope === undefined) return
    if (scope.scope === 'site') {
      const time = timeText(new Date(changeSet.at))
      onSite({
        moment: changeSet.moment,
        when: own.site.beforeTime(withArticle('il', dayText(changeSet.at)), time),
      })
      return
    }
    setBusy(true)
    if (await goBack(scope, changeSet.moment, onReturned)) onReturned()
    setBusy(false)
  }
  return (
    <div className={styles.changeSet}>
      <div className={styles.scrolled}>
        <h2>{`${dayText(changeSet.at)}, ${timeText(new Date(changeSet.at))}`}</h2>
        {changeSet.changes.map((change) => (
          <ChangeView key={change.thing} {...{ change, blocks, known }} />
        ))}
        {isErased || scopes.length < 2 ? null : (
          <Scopes scopes={scopes} chosen={chosen} onChoose={setChosen} />
        )}
      </div>
      {isErased ? null : isOwnerOnly && scope?.scope === 'changeSet' ? (
        <p className={styles.foot}>{own.ownerOnly}</p>
      ) : (
        <div className={styles.foot}>
          <Button icon={RotateCcw} busy={busy} onClick={() => void go()}>
            {own.back}
          </Button>
          <small>{own.now}</small>
        </div>
      )}
    </div>
  )
}

/** Returns whether the return succeeded. Its toast offers to undo it. */
async function goBack(scope: Scope, moment: number, onReturned: () => void): Promise<boolean> {
  try {
    const done = await putBack(scope, moment)
    const skipped = done.skipped.map((title) => title ?? words.untitled)
    const { moment: own2 } = done
    if (own2 === null) {
      toastDone(own.already)
      return true
    }
    const forward = async () => {
      if (await goBack({ scope: 'changeSet' }, own2, onReturned)) onReturned()
    }
    toastProof({
      title: own.done,
      detail: skipped.length === 0 ? null : own.skipped(skipped.join(', ')),
      links: [{ label: own.look, href: '/' }],
      undo: () => void forward(),
    })
    return true
  } catch (error) {
    toastFailed(own.failed, reasonOf(error))
    return false
  }
}

type Choice = { readonly scope: Scope; readonly label: string }

function scopesOf(
  changeSet: ChangeSet,
  blocks: readonly Block[],
  { isOwner, isSiteKnown }: { isOwner: boolean; isSiteKnown: boolean },
): readonly Choice[] {
  const { changes } = changeSet
  const time = timeText(new Date(changeSet.at))
  const count = changes.length
  const several = counted(count, own.scope.several.one, own.scope.several.more)
  const choices: Choice[] = [
    { scope: { scope: 'changeSet' }, label: count === 1 ? own.scope.one : several },
  ]
  const shown = changes.flatMap((change) => blockOf(change, blocks) ?? []).map(homeOf)
  for (const { label, pattern } of new Set(shown)) {
    choices.push({ scope: { scope: 'page', page: pattern }, label: own.scope.page(label, time) })
  }
  if (isOwner && changes.some(({ kind }) => kind === 'settings')) {
    choices.push({ scope: { scope: 'settings' }, label: own.scope.settings(time) })
  }
  if (isSiteKnown) choices.push({ scope: { scope: 'site' }, label: own.scope.site(time) })
  return choices
}

type ScopesProps = {
  scopes: readonly Choice[]
  chosen: number
  onChoose: (index: number) => void
}

function Scopes({ scopes, chosen, onChoose }: ScopesProps) {
  const name = useId()
  return (
    <fieldset className={styles.scopes}>
      <legend>{own.scope.title}</legend>
      {scopes.map(({ label }, index) => (
        <label key={label}>
          <input
            type="radio"
            name={name}
            checked={index === chosen}
            onChange={() => onChoose(index)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

type ChangeProps = { change: Change; blocks: readonly Block[]; known: ChipContext }

function ChangeView({ change, blocks, known }: ChangeProps) {
  const { name, place } = nameOf(change, blocks)
  const fields = changedFields(change, blocks, known)
  const facts = [place, ACTIONS[change.action]].filter((fact) => fact !== '')
  return (
    <section className={styles.change}>
      <h3>
        {name} <small>{facts.join(' · ')}</small>
      </h3>
      {change.action === 'erased' ? <p className={styles.soft}>{own.erased}</p> : null}
      {fields.map((field) => (
        <FieldView key={field.key} field={field} />
      ))}
    </section>
  )
}

function FieldView({ field }: { field: ChangedField }) {
  const parts = pieces(field.before.text, field.after.text)
  return (
    <div className={styles.field}>
      <h4>{field.label}</h4>
      <SideView side={field.before} label={own.before} parts={parts} leaves="added" />
      <SideView side={field.after} label={own.after} parts={parts} leaves="removed" />
    </div>
  )
}

type SideProps = {
  side: Side
  label: string
  parts: readonly Piece[]
  /** The pieces of the other side. */
  leaves: 'added' | 'removed'
}

function SideView({ side, label, parts, leaves }: SideProps) {
  const Tag = leaves === 'added' ? 'del' : 'ins'
  const spoken = leaves === 'added' ? own.removedText : own.addedText
  return (
    <div className={`${styles.side} ${marked.changes}`}>
      <small>{label}</small>
      {side.picture === null ? null : <img src={side.picture} alt="" />}
      {side.text === '' && side.picture === null ? (
        <p className={styles.soft}>{own.nothing}</p>
      ) : (
        <p>
          {parts
            .filter(({ kind }) => kind !== leaves)
            .map(({ text, kind }, index) => {
              const key = `${index}`
              if (kind === 'same') return <span key={key}>{text}</span>
              return (
                <Tag key={key}>
                  <span className={hidden.hidden}>{spoken}: </span>
                  {text}
                </Tag>
              )
            })}
        </p>
      )}
    </div>
  )
}

type SiteProps = {
  target: SiteTarget
  blocks: readonly Block[]
  onReturned: () => void
  onClose: () => void
}

/** Asks before the whole site goes back, and lists what returns. */
export function SiteReturn({ target, blocks, onReturned, onClose }: SiteProps) {
  const data = useLoad<SitePreview>(`${PATH}/${target.moment}/site`)
  const isOwner = useIsOwner()
  const go = async () => {
    if (await goBack({ scope: 'site' }, target.moment, onReturned)) onReturned()
    else onClose()
  }
  return (
    <Confirm
      question={own.site.title(target.when)}
      confirm={own.back}
      cancel={own.site.cancel}
      icon={RotateCcw}
      tone="primary"
      onConfirm={go}
      onClose={onClose}
    >
      <div className={styles.two}>
        <div>
          <h3>
            <Icon of={RotateCcw} size={18} />
            {own.site.returns}
          </h3>
          <WhenLoaded data={data}>
            {({ steps }) => <Steps steps={steps} blocks={blocks} />}
          </WhenLoaded>
        </div>
        <div>
          <h3>
            <Icon of={Lock} size={18} />
            {own.site.stays}
          </h3>
          <ul>
            {[...own.site.staying, ...(isOwner ? [] : [own.site.settingsStay])].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      </div>
      <p className={styles.note}>
        <Icon of={Info} size={18} />
        {own.site.note}
      </p>
    </Confirm>
  )
}

const STEPS_MAX = 12

function Steps({ steps, blocks }: { steps: readonly SiteStep[]; blocks: readonly Block[] }) {
  if (steps.length === 0) return <p className={styles.soft}>{own.site.none}</p>
  const left = steps.length - STEPS_MAX
  return (
    <ul>
      {steps.slice(0, STEPS_MAX).map((step) => (
        <li key={step.thing}>{stepText(step, blocks)}</li>
      ))}
      {left > 0 ? <li>{counted(left, own.site.more.one, own.site.more.more)}</li> : null}
    </ul>
  )
}

function stepText(step: SiteStep, blocks: readonly Block[]): string {
  const change: Change = { ...step, action: 'changed', before: null, after: null, isCut: false }
  const { name, place } = nameOf(change, blocks)
  if (step.isHidden) return own.site.hidden(name)
  if (step.thing.startsWith('order:')) return `${name}: ${own.order.toLowerCase()}`
  return place === '' ? name : `${place}: ${name}`
}
