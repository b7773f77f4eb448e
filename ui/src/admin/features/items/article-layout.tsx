// Form layout of kinds that are mostly text: the text in the middle, all other fields in a side panel.

import type { ComponentProps } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isImeKey } from '../../../lib/ime-key'
import hidden from '../../../primitives/hidden.module.css'
import { type FieldSpec, type Kind, kindSpecs, type Values } from '../../api/schema'
import { DraftRecovery } from '../../drafts/draft-recovery'
import { useVisibleViewportHeight } from '../../hooks/use-visible-viewport'
import { LEAVE_UPWARD_EVENT } from '../../rich-text/undo-redo-context'
import { Problem, problemId } from '../../ui/fields/field-shell'
import styles from '../../ui/item-form.module.css'
import { lazy } from '../../ui/lazy'
import { fieldWording, formMessages } from './form-messages'
import { FieldCell, ItemFields, useSlugFollowing } from './item-fields'

const TITLE = 'title'

/** Preview for search engines and messengers, for kinds with a page of their own. */
export const LazyItemSeoPreview = lazy(() =>
  import('./item-seo-preview').then(({ ItemSeoPreview }) => ItemSeoPreview),
)

/** Name of the Markdown field of a kind; null when it has none. */
export function articleField(kind: Kind): string | null {
  const fields: readonly (readonly [string, FieldSpec])[] = Object.entries(kindSpecs[kind].fields)
  return fields.find(([, field]) => field.type === 'markdown')?.[0] ?? null
}

type StudioProps = {
  written: string
  fields: ComponentProps<typeof ItemFields>
  /** On a narrow screen: the side panel replaces the text. */
  details: boolean
  /** On a wide screen: the side panel is collapsed. */
  isFolded: boolean
}

export function ArticleLayout({ written, fields, details, isFolded }: StudioProps) {
  const { kind, item, form, onBusy } = fields
  const set = useSlugFollowing(kind, item, form)
  const spec = kindSpecs[kind].fields[written]
  const root = useRef<HTMLDivElement>(null)
  useVisibleViewportHeight(() => root.current?.closest('dialog'))
  if (spec === undefined) return null
  return (
    <>
      <div className={details ? `${styles.sheet} ${styles.behind}` : styles.sheet} ref={root}>
        <div className={styles.paper}>
          <DraftRecovery form={form} />
          <TitleField kind={kind} values={form.values} problem={form.problems[TITLE]} set={set} />
          <FieldCell {...{ kind, form, spec, onBusy }} name={written} onChange={set} />
        </div>
      </div>
      {isFolded && !details ? null : (
        <section
          className={details ? styles.side : `${styles.side} ${styles.behind}`}
          aria-label={formMessages[kind].isMail === true ? 'La newsletter' : 'L’articolo'}
        >
          <ItemFields {...fields} without={[TITLE, written]} pictureLast />
          <LazyItemSeoPreview kind={kind} item={item} values={form.values} />
        </section>
      )}
    </>
  )
}

type TitleFieldProps = {
  kind: Kind
  values: Values
  problem: string | undefined
  set: (values: Values) => void
}

/**
 * The title in the size that readers see. Enter moves the focus into the text; the arrow key at the start of
 * the text moves it back.
 */
function TitleField({ kind, values, problem, set }: TitleFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const form = field.current?.closest('form')
    const come = (event: Event) => {
      event.preventDefault()
      field.current?.focus()
    }
    form?.addEventListener(LEAVE_UPWARD_EVENT, come)
    return () => form?.removeEventListener(LEAVE_UPWARD_EVENT, come)
  }, [])
  const value = values[TITLE]
  useLayoutEffect(() => {
    if (field.current !== null) fitHeight(field.current)
  }, [value])
  useEffect(() => {
    const own = field.current
    if (own === null) return undefined
    // It has no size until its dialog is open, and another number of lines at another width.
    const resize = new ResizeObserver(() => requestAnimationFrame(() => fitHeight(own)))
    resize.observe(own)
    return () => resize.disconnect()
  }, [])
  const spec = kindSpecs[kind].fields[TITLE]
  const { label } = fieldWording(kind, TITLE)
  return (
    <div>
      <label htmlFor={TITLE} className={hidden.hidden}>
        {label}
      </label>
      <textarea
        ref={field}
        id={TITLE}
        name={TITLE}
        className={styles.title}
        rows={1}
        lang="it"
        spellcheck
        value={typeof value === 'string' ? value : ''}
        placeholder={formMessages[kind].isMail === true ? 'Oggetto' : 'Titolo dell’articolo'}
        aria-required={spec?.required === true}
        {...(problem === undefined
          ? {}
          : { 'aria-invalid': true as const, 'aria-describedby': problemId(TITLE) })}
        onInput={(event) => set({ [TITLE]: event.currentTarget.value.replace(/\n/g, ' ') })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isImeKey(event)) return
          event.preventDefault()
          const text = event.currentTarget.closest('form')?.querySelector('[contenteditable=true]')
          if (text instanceof HTMLElement) text.focus()
        }}
      />
      {problem === undefined ? null : <Problem id={problemId(TITLE)} text={problem} />}
    </div>
  )
}

/** Shows all lines where `field-sizing` is unknown: before Safari 26.2 and Firefox 152. */
function fitHeight(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  if (field.scrollHeight > 0) field.style.blockSize = `${field.scrollHeight}px`
}
