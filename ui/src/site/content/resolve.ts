// Blocks as components get them: settings and prices filled in, icons drawn, amounts with their
// sign. Runs where pages are made; browsers get the result with the page.

import { encodeMarker } from '../../lib/content-source-map'
import { paragraphsIn } from '../../lib/paragraphs'
import type { Settings } from '../data'
import { priced, pricedAlone } from '../money'
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

/** What a page was told about its blocks: the values that are not the defaults. */
export type GivenWords = {
  /** Null: hidden. Rich texts are read already, pictures are whole. */
  readonly blocks: Readonly<Record<string, object | null>>
  /** Whether each text says where it comes from: for the editor alone. */
  readonly marked: boolean
}

type Values = Readonly<Record<string, unknown>>
/** Of what is on offer, by the ids of its entries. */
export type Prices = ReadonlyMap<string, Amount>

/** Said of each text: `servizi.offers:offers[2].title`. */
type Mark = (path: string) => string

const unmarked: Mark = () => ''

/** Numbers places in invisible characters, which the editor reads from the end of a text. */
export class Places {
  readonly paths: string[] = []

  readonly mark: Mark = (path) => {
    this.paths.push(path)
    return encodeMarker(this.paths.length - 1)
  }
}

export class Shower {
  private readonly settings: Settings
  private readonly prices: Prices
  private readonly mark: Mark
  /** Of the block at hand; null while nobody has changed it. */
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

  /** What may be empty and is, is not there: the page does as without it. */
  private marked(text: string, path: string, required = true): string {
    return text === '' && !required ? '' : text + this.mark(path)
  }

  private picture(picture: ShownPicture['picture'] | undefined, path: string): ShownPicture {
    const mark = this.mark(path)
    if (!picture) return { picture: null, alt: mark }
    return { picture: { ...picture, alt: (picture.alt ?? '') + mark }, alt: mark }
  }

  /** The text with its settings and prices; '' when one that it cannot do without is unknown. */
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
    if (typeof link === 'string') return link
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

  /** Paragraphs and points without a word are left out, as where a setting is unknown. */
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
    // Where nothing stands yet the editor has a place for it.
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

/** Lines of which a setting is unknown leave no empty ones at the ends. */
function withoutEdges(inlines: readonly Inline[]): readonly Inline[] {
  const isBreak = (inline: Inline) => typeof inline !== 'string' && 'br' in inline
  const first = inlines.findIndex((inline) => !isBreak(inline))
  const last = inlines.findLastIndex((inline) => !isBreak(inline))
  return first < 0 ? [] : inlines.slice(first, last + 1)
}

/** A text in its paragraphs, the empty ones too. */
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
