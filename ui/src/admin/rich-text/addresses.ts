// Web and e-mail addresses in texts: finds those that are typed or pasted, and cleans those of pasted links.
import { Fragment, type Mark, type Node, type Schema, Slice } from 'prosemirror-model'
import {
  type EditorState,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { ReplaceStep, type Step } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { isEmailAddress } from '../../lib/email-address'
import { isWebAddress } from '../../lib/web-address'
import { hasWords, setLink } from './commands'
import { isSafe } from './schema'

/** Addresses without a scheme are found by their ending only, because `fine.Poi` is no address. */
const ENDINGS = 'it|com|org|net|eu|ch|info'
const LABELS = String.raw`(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+`
const ADDRESS = new RegExp(
  String.raw`(?<![\p{L}\d@/._-])(?:` +
    String.raw`(?:https?:\/\/|www\.)[^\s<>"«»\\]+|` +
    String.raw`[\p{L}\d.!#$%&'*+/=?^_{|}~-]+@${LABELS}[\p{L}\d-]{2,}|` +
    String.raw`${LABELS}(?:${ENDINGS})(?![\p{L}\d@-]|\.[\p{L}\d])(?:[/?#][^\s<>"«»\\]*)?)`,
  'giu',
)

type Found = { readonly from: number; readonly to: number; readonly href: string }

/** Returns the addresses in a text with their links. */
export function findAddresses(text: string): readonly Found[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: matched, index }) => {
    const written = withoutEnd(matched)
    const href = hrefOf(written)
    return href === null ? [] : [{ from: index, to: index + written.length, href }]
  })
}

/** Removes the punctuation of the sentence; a bracket that the address opened stays. */
function withoutEnd(text: string): string {
  const cut = text.replace(/[.,;:!?…'’”*_~\]}]+$/u, '')
  const isOpened = cut.split('(').length >= cut.split(')').length
  return cut.endsWith(')') && !isOpened ? withoutEnd(cut.slice(0, -1)) : cut
}

/** `URL.canParse`, which Safari has from 17 on. */
function isParsed(address: string): boolean {
  try {
    return new URL(address).href !== ''
  } catch {
    return false
  }
}

function hrefOf(written: string): string | null {
  if (/^[^/]+@/.test(written)) return isEmailAddress(written) ? `mailto:${written}` : null
  const whole = /^https?:\/\//i.test(written) ? written : `https://${written}`
  const hasHost = /^https?:\/\/[^/?#]*\.[^/?#.]+/i.test(whole)
  return isWebAddress(whole) && hasHost && isParsed(whole) ? whole : null
}

/** Returns the link of a text that is one address and nothing else. */
export function addressAlone(text: string): string | null {
  const written = text.trim()
  if (/^(?:mailto:|tel:)\S+$/i.test(written)) return pastedAddress(written)
  const [found] = findAddresses(written)
  return found?.from === 0 && found.to === written.length ? pastedAddress(found.href) : null
}

/** Redirects of other sites, with the parameters that hold the target. */
const REDIRECTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^www\.google\.[a-z.]+\/url$/, ['q', 'url']],
  [/^(?:l|lm)\.(?:facebook|instagram)\.com\/(?:l\.php)?$/, ['u']],
  [/^www\.youtube\.com\/redirect$/, ['q']],
  [/\.safelinks\.protection\.outlook\.com\/$/, ['url']],
  [/^www\.linkedin\.com\/(?:safety\/go|redir\/redirect)\/?$/, ['url']],
]
const TRACKING =
  /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|msclkid|igshid|mc_[ce]id|_hs(?:enc|mi)|yclid|dclid)$/i

/** Returns where a pasted link leads, without redirects and tracking parameters; null for a link to nowhere. */
export function pastedAddress(href: string): string | null {
  const address = href.replaceAll('\u200b', '').trim()
  if (/^(?:mailto|tel):/i.test(address)) return /:\s*(?:$|\?)/.test(address) ? null : address
  if (address.startsWith('#') || !isSafe(address)) return null
  if (address.startsWith('/')) return address
  if (!isWebAddress(address)) return null
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return null
  }
  const redirect = REDIRECTS.find(([pattern]) => pattern.test(url.hostname + url.pathname))
  if (redirect !== undefined) {
    const inner = redirect[1].map((name) => url.searchParams.get(name)).find(Boolean)
    return inner ? pastedAddress(inner) : null
  }
  return withoutTracking(address)
}

/** Leaves every other byte as it was: `URLSearchParams` would write the rest anew. */
function withoutTracking(address: string): string {
  return address.replace(/\?([^#]*)/, (query, all: string) => {
    const kept = all.split('&').filter((one) => !TRACKING.test(one.split('=')[0] ?? ''))
    if (kept.length === all.split('&').length) return query
    return kept.length === 0 ? '' : `?${kept.join('&')}`
  })
}

/** Links the addresses in pasted content. */
export function linkAddresses(slice: Slice, schema: Schema): Slice {
  const { link } = schema.marks
  const linked = (fragment: Fragment): Fragment => {
    const nodes: Node[] = []
    fragment.forEach((node) => {
      if (!node.isText) nodes.push(node.type.spec.code ? node : node.copy(linked(node.content)))
      else nodes.push(...linkedText(node, schema))
    })
    return Fragment.fromArray(nodes)
  }
  return link === undefined
    ? slice
    : new Slice(linked(slice.content), slice.openStart, slice.openEnd)
}

function linkedText(node: Node, schema: Schema): readonly Node[] {
  const text = node.text ?? ''
  const isTaken = (mark: Mark) => mark.type.name === 'link' || mark.type.name === 'code'
  if (node.marks.some(isTaken)) return [node]
  let end = 0
  const parts = findAddresses(text).flatMap(({ from, to, href }) => {
    const target = pastedAddress(href)
    if (target === null) return []
    const before = from > end ? [node.cut(end, from)] : []
    end = to
    return [
      ...before,
      node.cut(from, to).mark(schema.mark('link', { href: target }).addToSet(node.marks)),
    ]
  })
  return end < text.length ? [...parts, node.cut(end)] : parts
}

/** Links the selected words when an address alone is pasted over them. Words that are an address are replaced. */
export function pasteLink(view: EditorView, data: DataTransfer | null): boolean {
  const href = addressAlone(data?.getData('text/plain') || data?.getData('text/uri-list') || '')
  const { state } = view
  if (href === null || !hasWords(state)) return false
  const { from, to } = state.selection
  if (addressAlone(state.doc.textBetween(from, to, ' ')) !== null) return false
  setLink(href)(view.state, view.dispatch)
  const { tr } = view.state
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, to)).scrollIntoView())
  return true
}

/** Whether the last change typed text. A removed link does not come back when the text loses the focus. */
const typedLast = new PluginKey<boolean>('typedLast')

/** Links an address when a blank or a line end is typed after it. */
export function linkTyped(): Plugin {
  return new Plugin({
    key: typedLast,
    state: {
      init: () => false,
      apply: (tr, before) => (tr.docChanged ? tr.steps.every(isText) : before),
    },
    appendTransaction: (transactions, _, state) => {
      const [first] = transactions
      if (first === undefined || transactions.length > 1 || !endsWord(first)) return null
      return linkBefore(state)
    },
  })
}

/** Links the address that was typed last; called when the text loses the focus or is saved. */
export function linkAtCaret(view: EditorView): void {
  const tr = view.editable && typedLast.getState(view.state) ? linkBefore(view.state) : null
  if (tr !== null) view.dispatch(tr)
}

function isText(step: Step): boolean {
  return step instanceof ReplaceStep && step.slice.content.firstChild?.isText === true
}

/** Whether the transaction inserts a blank, a line break or the end of a block and nothing else. */
function endsWord({ steps }: Transaction): boolean {
  const [step] = steps
  if (steps.length !== 1 || !(step instanceof ReplaceStep)) return false
  const { content, openStart, size } = step.slice
  if (openStart > 0) return content.textBetween(0, content.size) === ''
  const only = content.childCount === 1 ? content.firstChild : null
  if (only?.isText) return /^\s$/.test(only.text ?? '')
  return size > 0 && only?.type.name === 'hard_break'
}

/** Links the address in front of the caret, or at the end of the block before. */
function linkBefore(state: EditorState): Transaction | null {
  const { selection, schema } = state
  const { link } = schema.marks
  if (link === undefined || !selection.empty) return null
  let { $from } = selection
  if ($from.parentOffset === 0 && $from.depth > 0) {
    const before = Selection.findFrom(state.doc.resolve($from.before()), -1, true)
    if (before === null) return null
    $from = before.$from
  }
  const { parent, parentOffset } = $from
  if (!parent.isTextblock || parent.type.spec.code) return null
  const text = parent.textBetween(0, parentOffset, undefined, '\ufffc')
  const found = findAddresses(text).findLast(({ to }) => /^[\s\p{P}\ufffc]*$/u.test(text.slice(to)))
  if (found === undefined || found.to + END_LENGTH_MAX < text.length) return null
  const [from, to] = [$from.start() + found.from, $from.start() + found.to]
  if (isMarked(state.doc, from, to)) return null
  return state.tr.addMark(from, to, link.create({ href: found.href })).removeStoredMark(link)
}

/** Most punctuation and blanks between an address and the caret. */
const END_LENGTH_MAX = 4

function isMarked(doc: Node, from: number, to: number): boolean {
  const { link, code } = doc.type.schema.marks
  return [link, code].some((type) => type !== undefined && doc.rangeHasMark(from, to, type))
}
