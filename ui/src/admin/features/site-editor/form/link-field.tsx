// Link target field: page, event, article, web address, phone, e-mail or message. Other schemes are refused.
import { useRef, useState } from 'preact/hooks'
import { currentChoicePath } from '../../../../lib/contact-page-urls'
import { fill } from '../../../../lib/interpolate'
import { completeWebAddress } from '../../../../lib/web-address'
import { settingHref } from '../../../app/routes'
import { ariaOf, type ControlProps, Problem, problemId } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import { PhoneField } from '../../../ui/fields/phone-field'
import { TextField } from '../../../ui/fields/text-field'
import type { FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { SITE_PAGES } from '../model/editable-pages'
import { equal, isObjectValue } from '../model/field-path'
import {
  isBroken,
  isGone,
  kindOfLink,
  LINK_KINDS,
  type LinkKind,
  linkOf,
  MESSAGES,
  messagesIn,
  restOf,
  targetOf,
} from '../model/links'
import { draftOf, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import styles from './form.module.css'
import { ItemField } from './item-picker'
import { LinkToHiddenSection } from './link-to-hidden-section'

type LinkFieldProps = ControlProps & {
  word: FieldValue
  known: ChipContext
  onWord: (word: FieldValue) => void
}

const { link: own } = wording

export function LinkField({ word, known, onWord, ...control }: LinkFieldProps) {
  const [chosen, setChosen] = useState<LinkKind | null>(null)
  const href = typeof word === 'string' ? word : ''
  // The value changed elsewhere, by undo or a restored version: its own kind counts again.
  const handedOver = useRef(word)
  const hand = (next: FieldValue) => {
    handedOver.current = next
    onWord(next)
  }
  const kind = equal(word, handedOver.current) ? (chosen ?? kindOfLink(word)) : kindOfLink(word)
  // Arrow keys select each kind that they pass: every kind keeps its value, to restore it when selected again.
  const written = useRef<Partial<Record<LinkKind, FieldValue>>>({})
  const choose = (next: LinkKind) => {
    if (kind !== null) written.current[kind] = word
    setChosen(next)
    hand(written.current[next] ?? linkOf(next, ''))
  }
  if (isObjectValue(word)) {
    const name = typeof word.setting === 'string' ? word.setting : ''
    const label = known.settingLabels[name] ?? name
    return (
      <div className={styles.link}>
        <p>
          <b>{control.label}</b>
        </p>
        <p>{fill(wording.field.setting, { name: label })}</p>
        <a href={settingHref(name)}>{wording.field.settingOpen}</a>
        <KindSelect id={control.id} kind={null} onChange={choose} />
      </div>
    )
  }
  const rest = restOf(href)
  const problem = kind === null ? own.refused : control.problem
  // `PhoneField` has a test link of its own, next to the number as the server parses it.
  const target = kind === 'phone' || kind === 'messaging' ? null : targetOf(href)
  return (
    <div className={styles.link}>
      <KindSelect id={control.id} kind={kind} label={control.label} onChange={choose} />
      {kind === 'page' ? (
        <PageSelect id={`${control.id}-page`} href={href} problem={problem} onChange={hand} />
      ) : kind === 'event' || kind === 'article' ? (
        <ItemField
          key={kind}
          {...control}
          id={`${control.id}-item`}
          kind={kind}
          label={own.kinds[kind]}
          value={href}
          problem={problem}
          onChange={hand}
        />
      ) : kind === 'phone' || kind === 'messaging' ? (
        <PhoneField
          {...control}
          id={`${control.id}-target`}
          label={LABELS[kind]}
          value={rest}
          problem={problem}
          tries={kind === 'phone' ? 'call' : 'message'}
          onChange={(text) => hand(linkOf(kind, text))}
        />
      ) : (
        <TextField
          {...control}
          id={`${control.id}-target`}
          isCode
          inputMode={kind === 'email' ? 'email' : 'url'}
          label={LABELS[kind ?? 'web']}
          value={rest}
          max={undefined}
          problem={problem}
          placeholder={kind === 'web' ? own.addressPlaceholder : ''}
          onChange={(text) => hand(linkOf(kind ?? 'web', text))}
          onBlur={() => kind === 'web' && hand(completeWebAddress(href))}
        />
      )}
      {target === null ? null : (
        <a href={target} target="_blank" rel="noopener">
          {own.try}
        </a>
      )}
    </div>
  )
}

const LABELS: Readonly<Record<LinkKind, string>> = {
  page: own.page,
  event: own.kinds.event,
  article: own.kinds.article,
  web: own.address,
  phone: own.number,
  email: own.emailAddress,
  messaging: own.number,
}

type KindSelectProps = {
  id: string
  kind: LinkKind | null
  label?: string
  onChange: (kind: LinkKind) => void
}

function KindSelect({ id, kind, label = own.target, onChange }: KindSelectProps) {
  return (
    <div className={fields.field}>
      <label className={fields.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={fields.input}
        value={kind ?? ''}
        onChange={(event) => onChange(event.currentTarget.value as LinkKind)}
      >
        {kind === null ? <option value="">{own.target}</option> : null}
        {LINK_KINDS.map((one) => (
          <option key={one} value={one}>
            {own.kinds[one]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Messages as they would be published, drafts included, so that a new one can be chosen at once. */
function useMessages(): FieldValue | undefined {
  return usePages((store) => {
    const block = store.blocks?.find(({ id }) => id === MESSAGES.block)
    return block && draftOf(store, block).value[MESSAGES.list]
  })
}

type PageSelectProps = {
  id: string
  href: string
  problem: string | undefined
  onChange: (href: string) => void
}

function PageSelect(props: PageSelectProps) {
  const href = currentChoicePath(props.href)
  const pages = SITE_PAGES.filter(({ pattern }) => !pattern.includes('{'))
  const messages = messagesIn(useMessages())
  const isListed =
    pages.some(({ pattern }) => pattern === href) || messages.some(({ path }) => path === href)
  const gone = isGone(href, messages)
  return (
    <div className={fields.field}>
      <label className={fields.label} htmlFor={props.id}>
        {own.page}
      </label>
      <select
        id={props.id}
        className={fields.input}
        value={href}
        {...ariaOf({ ...props, label: own.page, value: href })}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {isListed ? null : <option value={href}>{gone ? own.messageGone : href}</option>}
        {pages.map(({ pattern, label }) => (
          <option key={pattern} value={pattern}>
            {label}
          </option>
        ))}
        <optgroup label={own.messages}>
          {messages.map(({ path, title }, index) => (
            <option key={path ?? index} value={path ?? ''} disabled={path === null}>
              {fill(path === null ? own.messageUnpublished : own.message, { title })}
            </option>
          ))}
        </optgroup>
      </select>
      {isBroken(href) || gone ? (
        <p className={fields.hint} role="status">
          {gone ? own.goneMessage : own.broken}
        </p>
      ) : null}
      <LinkToHiddenSection href={href} />
      {props.problem === undefined ? null : (
        <Problem id={problemId(props.id)} text={props.problem} />
      )}
    </div>
  )
}
