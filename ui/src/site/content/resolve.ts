// Resolves blocks for components: inserts settings, prices, icons and formatted amounts. Runs in
// the renderer; browsers get the result with the page.

import { currentChoicePath } from '../../lib/contact-page-urls'
import { encodeMarker } from '../../lib/content-source-map'
import { paragraphsIn } from '../../lib/paragraphs'
import { priced, pricedAlone } from '../money'
import type { Settings } from '../page-data'
import { emailHref, phoneHref, setting, webHref, whatsappHref } from '../settings'
import { iconByName, isIcon } from './icons'
import type {
  Amount,
  Block,
  BlockDefinition,
  Field,
  Fields,
  Inline,
  Link,
  Part,
  ShownPicture,
  Text,
} from './schema'

/** Block values of a page that differ from the defaults. */
export type BlockValues = {
  /** Null: hidden. Rich texts are already parsed and pictures complete. */
  readonly blocks: Readonly<Record<string, object | null>>
  /** Whether each text carries a source marker; for the editor only. */
  readonly marked: boolean
}

type Values = Readonly<Record<string, unknown>>
/** Prices of the offers, by the ids of their entries. */
export type Prices = ReadonlyMap<string, Amount>

/** Returns the source marker of a path such as `servizi.offers:offers[2].title`. */
type Mark = (path: string) => string

const unmarked: Mark = () => ''

/**
 * Numbers paths and encodes them as invisible source markers, which the editor reads from the end
 * of a text.
 */
export class MarkerTable {
  readonly paths: string[] = []

  readonly mark: Mark = (path) => {
    this.paths.push(path)
    return encodeMarker(this.paths.length - 1)
  }
}

export class ContentRenderer {
  private readonly settings: Settings
  private readonly prices: Prices
  private readonly mark: Mark
  /** Date of the last change of the current block; null while it is unchanged. */
  private changedOn: string | null = null

  constructor(settings: Settings, prices: Prices, mark: Mark = unmarked) {
    this.settings = settings
    this.prices = prices
    this.mark = mark
  }

  block(definition: BlockDefinition, value: object): object {
    this.changedOn = (value as { changedOn?: string }).changedOn ?? null
    return this.group(definition.fields, value as Values, `${definition.id}:`)
  }

  private group(fields: Fields, values: Values, at: string): Values {
    const shown: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(fields)) {
      shown[name] = this.value(field, values[name], `${at}${name}`)
    }
    return shown
  }

  private value(field: Field, value: unknown, path: string): unknown {
    switch (field.type) {
      case 'line':
        return this.marked(this.fill((value ?? '') as Text), path, field.required)
      case 'paragraphs':
        return paragraphsOf((value ?? '') as Text)
          .map((text, index) => this.marked(this.fill(text), `${path}#${index}`, field.required))
          .filter((text) => text !== '')
      case 'richText':
        return this.rich((value ?? []) as readonly Block<Text>[], path)
      case 'amount': {
        const amount = value as Amount
        return { ...amount, text: this.marked(pricedAlone(amount), path) }
      }
      case 'link':
        return this.href((value ?? '') as Link)
      case 'picture':
        return this.picture(value as ShownPicture['picture'], path)
      case 'choice':
        // A page is the same whether an optional choice is stored as empty or not at all.
        if (value === null) return undefined
        return isIcon(value as string) ? iconByName[value as keyof typeof iconByName] : value
      case 'list':
        return ((value ?? []) as readonly Values[]).map((entry, index) => ({
          id: entry.id,
          ...this.group(field.fields, entry, `${path}[${index}].`),
        }))
      default:
        return value
    }
  }

  /** An empty optional text gets no marker, so that the page treats the text as absent. */
  private marked(text: string, path: string, required = true): string {
    return text === '' && !required ? '' : text + this.mark(path)
  }

  private picture(picture: ShownPicture['picture'] | undefined, path: string): ShownPicture {
    const mark = this.mark(path)
    if (!picture) return { picture: null, alt: mark }
    return { picture: { ...picture, alt: (picture.alt ?? '') + mark }, alt: mark }
  }

  /** Returns the text with its settings and prices; '' when a required one is unknown. */
  private fill(text: Text): string {
    return typeof text === 'string' ? text : (this.join(text.text) ?? '')
  }

  private join(parts: readonly Part[]): string | null {
    const known = parts.map((part) => this.part(part))
    return known.includes(null) ? null : known.join('')
  }

  private part(part: Part): string | null {
    if (typeof part === 'string') return part
    if ('setting' in part) return setting(part.setting, this.settings) || null
    if ('changed' in part) return this.changedOn ?? part.changed
    if ('price' in part) {
      const price = this.prices.get(part.price)
      return price === undefined ? null : priced(price)
    }
    return part.either.map((parts) => this.join(parts)).find((text) => text !== null) ?? ''
  }

  private href(link: Link): string {
    if (typeof link === 'string') return currentChoicePath(link)
    switch (link.setting) {
      case 'phone':
        return phoneHref(this.settings)
      case 'email':
        return emailHref(this.settings)
      case 'whatsapp':
        return whatsappHref(this.settings)
      default:
        return webHref(link.setting, this.settings)
    }
  }

  /** Leaves out empty paragraphs and list items, for example where a setting is unknown. */
  private rich(blocks: readonly Block<Text>[], path: string): readonly Block[] {
    let number = 0
    const inlines = (all: readonly Inline<Text>[]): readonly Inline[] => {
      const filled = all.map((inline) => this.inline(inline)).filter((inline) => inline !== '')
      const said = withoutEdges(filled)
      if (this.mark === unmarked || said.length === 0) return said
      return [...said, this.mark(`${path}#${number++}`)]
    }
    const items = (list: readonly (readonly Block<Text>[])[]) =>
      list.map(drawn).filter((item) => item.length > 0)
    const whole = (block: Block<Text>): Block => {
      if ('p' in block) return { p: inlines(block.p) }
      return 'ul' in block ? { ul: items(block.ul) } : { ...block, ol: items(block.ol) }
    }
    const drawn = (all: readonly Block<Text>[]): readonly Block[] =>
      all.map(whole).filter((block) => contentOf(block).length > 0)
    const shown = drawn(blocks)
    // An empty text keeps one paragraph in the editor, for typing into it.
    const isNowhere = shown.length === 0 && this.mark !== unmarked
    return isNowhere ? [{ p: [this.mark(`${path}#0`)] }] : shown
  }

  private inline(inline: Inline<Text>): Inline {
    if (typeof inline === 'string' || 'text' in inline) return this.fill(inline)
    if ('br' in inline) return inline
    if ('b' in inline) return { b: inline.b.map((inner) => this.inline(inner)) }
    if ('i' in inline) return { i: inline.i.map((inner) => this.inline(inner)) }
    return { a: inline.a, of: inline.of.map((inner) => this.inline(inner)) }
  }
}

function contentOf(block: Block): readonly unknown[] {
  if ('p' in block) return block.p
  return 'ul' in block ? block.ul : block.ol
}

/** Removes line breaks at both ends, which remain where a setting is unknown. */
function withoutEdges(inlines: readonly Inline[]): readonly Inline[] {
  const isBreak = (inline: Inline) => typeof inline !== 'string' && 'br' in inline
  const first = inlines.findIndex((inline) => !isBreak(inline))
  const last = inlines.findLastIndex((inline) => !isBreak(inline))
  return first < 0 ? [] : inlines.slice(first, last + 1)
}

/** Splits a text into its paragraphs, including empty ones. */
export function paragraphsOf(text: Text): readonly Text[] {
  if (typeof text === 'string') return paragraphsIn(text)
  const paragraphs: Part[][] = [[]]
  for (const part of text.text) {
    if (typeof part !== 'string') {
      paragraphs.at(-1)?.push(part)
      continue
    }
    const [first = '', ...others] = paragraphsIn(part)
    paragraphs.at(-1)?.push(first)
    paragraphs.push(...others.map((other) => [other]))
  }
  return paragraphs.map((parts) => ({ text: parts }))
}
