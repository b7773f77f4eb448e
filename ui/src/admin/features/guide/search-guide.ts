// Finds the passages of the guide that answer a question in the admin's own words.
import { type GuideNode, type GuideSection, plainText } from './guide-node'

/** Words of questions, which say nothing about their subject. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'come cosa dove quando quale perche che chi non per con una uno gli dei del della delle nel nella sul sulla mio mia miei mie devo posso voglio fare'.split(
    ' ',
  ),
)

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase()
}

/** The stems of the query: `prezzo` finds `prezzi`, `cambio` and `cambiare` find `cambiano`. */
export function stemsOf(query: string): readonly string[] {
  const words = folded(query).match(/[\p{L}\p{N}]+/gu) ?? []
  const long = words.filter((word) => word.length >= 3 && !STOP_WORDS.has(word))
  return (long.length > 0 ? long : words).map((word) =>
    word.length >= 5 ? word.replace(/[aei]re$/, '').replace(/[aeiou]+$/, '') : word,
  )
}

export type GuideHit = {
  readonly section: GuideSection
  /** The passages with the most words of the query; all of them when the title has its words. */
  readonly passages: readonly GuideNode[]
  /** They have all words of the query. */
  readonly isWhole: boolean
}

/** Sections whose title answers come first, those of which only a word of the title matches last. */
export function searchGuide(sections: readonly GuideSection[], query: string): readonly GuideHit[] {
  const stems = stemsOf(query)
  const countIn = (text: string) => stems.filter((stem) => hasStem(folded(text), stem)).length
  const counted = sections.map((section) => ({
    section,
    inTitle: countIn(section.title),
    passages: passagesOf(section).map((node) => ({
      node,
      count: countIn(`${section.title} ${plainText(node)}`),
    })),
  }))
  const best = Math.max(0, ...counted.flatMap(({ passages }) => passages.map(({ count }) => count)))
  if (best === 0) return []
  const hits = counted.flatMap(({ section, inTitle, passages }) => {
    const found = passages.filter(({ count }) => count === best).map(({ node }) => node)
    if (inTitle === stems.length) {
      return [{ section, passages: section.nodes, rank: 0, isWhole: true }]
    }
    if (found.length > 0) {
      return [{ section, passages: found, rank: 1, isWhole: best === stems.length }]
    }
    return inTitle > 0 ? [{ section, passages: section.nodes, rank: 2, isWhole: false }] : []
  })
  return hits.sort((one, other) => one.rank - other.rank)
}

/** Whether a word of the text begins with the stem. */
function hasStem(text: string, stem: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${stem}`, 'u').test(text)
}

/** The entries of lists and the rows of tables by themselves, because a list of the guide is long. */
function passagesOf({ nodes }: GuideSection): readonly GuideNode[] {
  return nodes.flatMap((node): readonly GuideNode[] => {
    if (typeof node === 'string') return [node]
    if (node.tag === 'ul' || node.tag === 'ol') {
      return (node.children ?? []).map((entry) => ({ tag: node.tag, children: [entry] }))
    }
    if (node.tag !== 'table') return [node]
    const rows = (node.children ?? []).filter((part) => typeof part !== 'string')
    const body = rows.find(({ tag }) => tag === 'tbody')?.children ?? []
    return body.map((row) => ({ tag: 'table', children: [{ tag: 'tbody', children: [row] }] }))
  })
}
