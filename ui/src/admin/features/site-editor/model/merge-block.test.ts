import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Field, FieldValue, ObjectValue } from '../api/content-api'
import { namesField } from './block.fixture'
import { equal } from './field-path'
import { type BlockConflict, type Choices, mergeBlock } from './merge-block'

const a = { id: 'a', name: 'Uno', price: { cents: 9500, currency: 'EUR' } }
const b = { id: 'b', name: 'Due', price: { cents: 5000, currency: 'EUR' } }
const c = { id: 'c', name: 'Tre', price: { cents: 7000, currency: 'EUR' } }
const dear = { cents: 11000, currency: 'EUR' }

const merged = (mine: readonly FieldValue[], other: readonly FieldValue[], choices?: Choices) => {
  const { value, ...rest } = mergeBlock(
    { list: [a, b, c] },
    { list: mine },
    { list: other },
    choices,
  )
  return { list: value.list as readonly ObjectValue[], ...rest }
}
const places = (clashes: readonly BlockConflict[]) =>
  clashes.map(({ kind, place }) => `${kind} ${place}`)

describe('two sides of a block', () => {
  it('are put together where each changed something else', () => {
    const mine = { title: 'Mio', list: [a, b, c] }
    const other = { title: 'Servizi', list: [a, { ...b, name: 'Suo' }, c] }
    expect(mergeBlock({ ...mine, title: 'Servizi' }, mine, other)).toEqual({
      value: { title: 'Mio', list: other.list },
      clashes: [],
      joined: 2,
    })
  })

  it('clash where both changed a place, and hers stands until somebody chooses', () => {
    const mine = [a, { ...b, name: 'Mio' }, c]
    const other = [a, { ...b, name: 'Suo' }, c]
    const { list, clashes } = merged(mine, other)
    expect(list).toEqual(mine)
    expect(clashes).toMatchObject([
      { kind: 'word', place: 'list[b].name', field: 'list.name', mine: 'Mio', other: 'Suo' },
    ])
    expect(merged(mine, other, { takes: (place) => place === 'list[b].name' }).list).toEqual(other)
    expect(merged(mine, other, { takes: (place) => place !== 'list[b].name' }).list).toEqual(mine)
  })

  it('are one text where nothing but what the server does to it differs', () => {
    const one = (text: FieldValue) => ({ text })
    const { value, clashes } = mergeBlock(one('Prima'), one('  Dopo\r\n\u200b'), one('Dopo'))
    expect([value, clashes]).toEqual([one('Dopo'), []])
    expect(mergeBlock(one('Prima'), one(''), one(null)).clashes).toEqual([])
  })

  // Regression: the parts of such a text have no ids, and one side's edit around a setting was lost.
  it('have a text with settings in it as one piece', () => {
    const text = (...parts: readonly FieldValue[]) => ({ text: { text: parts } })
    const brand = { setting: 'brand' }
    const sides = [
      text('Sono ', brand),
      text('Io sono ', brand),
      text('Sono ', brand, '!'),
    ] as const
    const { value, clashes } = mergeBlock(...sides)
    expect(value).toEqual(sides[1])
    expect(places(clashes)).toEqual(['word text'])
    expect(mergeBlock({ to: brand }, { to: { setting: 'a' } }, { to: 'x' }).clashes).toHaveLength(1)
  })
})

describe('lists of both sides', () => {
  const mine = { name: 'Mia', price: dear }
  const other = { id: 'o', name: 'Sua', price: dear }

  // Regression: the conflict covered the whole list, and one of two added entries was lost.
  it('keep what each has added, behind what it stood behind', () => {
    expect(merged([a, mine, b, c], [a, b, other, c])).toEqual({
      list: [a, mine, b, other, c],
      clashes: [],
      joined: 2,
    })
    expect(merged([a, b, c, mine], [a, b, c, other]).list).toEqual([a, b, c, mine, other])
    expect(merged([mine, a, b, c], [other, a, b, c]).list).toEqual([mine, other, a, b, c])
  })

  // Regression: 'Prendi l'altro' lost a price change when both sides had moved an entry.
  it('keep the moves of both, and every change of a field', () => {
    const moved = merged([c, { ...a, price: dear }, b], [b, a, { ...c, name: 'Suo' }])
    expect(moved.clashes).toEqual([])
    expect(moved.joined).toBe(4)
    expect(moved.list).toContainEqual({ ...a, price: dear })
    expect(moved.list).toContainEqual({ ...c, name: 'Suo' })
    const [d, e] = [
      { id: 'd', name: 'Quattro' },
      { id: 'e', name: 'Cinque' },
    ]
    const all = (list: readonly FieldValue[]) => ({ list })
    const both = mergeBlock(all([a, b, c, d, e]), all([b, a, c, d, e]), all([a, b, c, e, d]))
    expect(both.value).toEqual(all([b, a, c, e, d]))
    expect(both.joined).toBe(2)
  })

  it('stand in her order where she moved an entry, else in the other’s', () => {
    expect(merged([c, a, b], [a, { ...b, name: 'Suo' }, c]).list).toEqual([
      c,
      a,
      { ...b, name: 'Suo' },
    ])
    expect(merged([a, { ...b, name: 'Mio' }, c], [c, b, a]).list).toEqual([
      c,
      { ...b, name: 'Mio' },
      a,
    ])
    expect(merged([b, a, c], [b, c, a])).toMatchObject({ list: [b, a, c], joined: 1 })
  })

  it('lose what one side took away and the other left as it was', () => {
    expect(merged([a, c], [a, { ...b }, c, other])).toEqual({
      list: [a, c, other],
      clashes: [],
      joined: 2,
    })
    expect(merged([a, b, c, mine], [b, c]).list).toEqual([b, c, mine])
    expect(merged([a, c], [b, c]).list).toEqual([c])
  })

  it('clash in the entry that one took away and the other wrote in', () => {
    const wrote = { ...b, name: 'Scritto' }
    const gone = merged([a, c], [a, wrote, c])
    expect(gone.clashes).toMatchObject([
      { kind: 'removed', place: 'list[b]', ground: b, mine: null, other: wrote },
    ])
    expect(gone.list).toEqual([a, c])
    expect(merged([a, c], [a, wrote, c], { takes: () => true }).list).toEqual([a, wrote, c])
    const kept = merged([a, wrote, c], [a, c])
    expect(kept.clashes).toMatchObject([{ kind: 'removed', mine: wrote, other: null }])
    expect(kept.list).toEqual([a, wrote, c])
    expect(merged([a, wrote, c], [a, c], { takes: () => true }).list).toEqual([a, c])
  })

  // Regression: after a lost response the admin's own entry, now with an id, was taken for another person's.
  it('have one entry where both added the same', () => {
    const sent = { name: ' Mia ', note: '' }
    const kept = { id: 'x', name: 'Mia', note: null }
    expect(merged([a, b, c, sent], [a, b, c, kept])).toEqual({
      list: [a, b, c, kept],
      clashes: [],
      joined: 0,
    })
    const twice = merged([a, b, c, sent, sent], [a, b, c, kept])
    expect(twice.list).toEqual([a, b, c, kept, sent])
  })

  it('are merged within entries of entries too', () => {
    const of = (...rows: readonly FieldValue[]) => ({ cards: [{ id: 'k', rows }] })
    const [p, q] = [
      { id: 'p', text: 'P' },
      { id: 'q', text: 'Q' },
    ]
    const { value, clashes } = mergeBlock(
      of(p),
      of(p, { text: 'Mia' }),
      of({ ...p, text: 'Suo' }, q),
    )
    expect(value).toEqual(of({ ...p, text: 'Suo' }, { text: 'Mia' }, q))
    expect(clashes).toEqual([])
    const two = mergeBlock(of(p), of({ ...p, text: 'Mio' }), of({ ...p, text: 'Suo' }))
    expect(two.clashes).toMatchObject([
      { place: 'cards[k].rows[p].text', field: 'cards.rows.text' },
    ])
  })
})

describe('a list that both sides together make too long or too short', () => {
  const limited = (min: number, max: number): readonly Field[] => [
    { ...namesField('list'), min, max },
  ]
  const mine = { name: 'Mia' }
  const other = { id: 'o', name: 'Sua' }

  it('is asked about, with what each side adds', () => {
    const sides = [
      [mine, a, b, c],
      [a, b, { ...c, name: 'Suo' }, other],
    ] as const
    const fields = limited(0, 4)
    const { list, clashes } = merged(...sides, { fields })
    expect(clashes).toMatchObject([
      { kind: 'count', place: 'list', total: 5, isMost: true, mine: [mine], other: [other] },
    ])
    expect(list).toEqual([mine, a, b, { ...c, name: 'Suo' }])
    const taken = merged(...sides, { fields, takes: () => true })
    expect(taken.list).toEqual([a, b, { ...c, name: 'Suo' }, other])
    expect(merged(...sides, { fields: limited(0, 5) }).clashes).toEqual([])
  })

  it('is asked about, with what each side has left', () => {
    const fields = limited(2, 9)
    const sides = [
      [a, b],
      [b, c],
    ] as const
    const { list, clashes } = merged(...sides, { fields })
    expect(clashes).toMatchObject([
      { kind: 'count', total: 1, isMost: false, mine: [a, b], other: [b, c] },
    ])
    expect(list).toEqual([a, b])
    expect(merged(...sides, { fields, takes: () => true }).list).toEqual([b, c])
  })
})

/** An edit of a list; indices wrap around its length. */
type Edit = {
  readonly kind: 'add' | 'remove' | 'move' | 'name' | 'note'
  readonly at: number
  to: number
}

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind']>('add', 'remove', 'move', 'name', 'note'),
    at: fc.nat(9),
    to: fc.nat(9),
  }),
  { maxLength: 6 },
)

/** `who` is the prefix of everything this side writes; each text is unique. */
function edited(
  list: readonly ObjectValue[],
  all: readonly Edit[],
  who: string,
): readonly ObjectValue[] {
  return all.reduce<readonly ObjectValue[]>((now, { kind, at, to }, index) => {
    const place = now.length === 0 ? 0 : at % now.length
    const own = `${who}${index}`
    const rest = now.filter((_, one) => one !== place)
    const behind = to % (rest.length + 1)
    if (kind === 'add') return now.toSpliced(behind, 0, { name: own, note: '' })
    const entry = now[place]
    if (entry === undefined || kind === 'remove') return rest
    if (kind === 'move') return rest.toSpliced(behind, 0, entry)
    return now.with(place, { ...entry, [kind]: own })
  }, list)
}

const lists = fc.tuple(fc.nat(6), edits, edits).map(([count, here, there]) => {
  const ground = Array.from({ length: count }, (_, index) => ({
    id: `e${index}`,
    name: `Nome ${index}`,
    note: `Nota ${index}`,
  }))
  const other = edited(ground, there, 'sua').map((entry) => ({
    ...entry,
    id: entry.id ?? entry.name,
  }))
  return { ground, mine: edited(ground, here, 'mia'), other: other as readonly ObjectValue[] }
})

const isMine = ({ id }: ObjectValue) => id === undefined
const byId = (list: readonly FieldValue[], id: FieldValue | undefined) =>
  (list as readonly ObjectValue[]).find((entry) => entry.id === id)

describe('any edits of two sides', () => {
  const run = (
    check: (all: {
      ground: readonly ObjectValue[]
      mine: readonly ObjectValue[]
      other: readonly ObjectValue[]
    }) => void,
  ) => fc.assert(fc.property(lists, check), { numRuns: 200 })
  const mergedList = (
    ground: readonly ObjectValue[],
    mine: readonly ObjectValue[],
    other: readonly ObjectValue[],
    choices?: Choices,
  ) => {
    const { value, clashes } = mergeBlock(
      { list: ground },
      { list: mine },
      { list: other },
      choices,
    )
    return { list: value.list as readonly ObjectValue[], clashes }
  }

  it('are as they were made where the other side did nothing', () => {
    run(({ ground, mine, other }) => {
      expect(mergedList(ground, mine, ground)).toEqual({ list: mine, clashes: [] })
      expect(mergedList(ground, ground, other)).toEqual({ list: other, clashes: [] })
    })
  })

  it('lose no entry that was added, and none twice', () => {
    run(({ ground, mine, other }) => {
      const { list } = mergedList(ground, mine, other)
      for (const entry of mine.filter(isMine)) expect(list).toContainEqual(entry)
      const theirs = other.filter(({ id }) => byId(ground, id) === undefined)
      for (const entry of theirs) expect(list).toContainEqual(entry)
      const ids = list.flatMap(({ id }) => (id === undefined ? [] : [id]))
      expect(new Set(ids).size).toBe(ids.length)
      expect(list.filter(isMine)).toHaveLength(mine.filter(isMine).length)
    })
  })

  it('change or lose nothing of an entry without a side that did, or a question', () => {
    run(({ ground, mine, other }) => {
      const { list, clashes } = mergedList(ground, mine, other)
      const isAsked = (place: string) => clashes.some((clash) => clash.place === place)
      for (const was of ground) {
        const [here, there, now] = [mine, other, list].map((one) => byId(one, was.id))
        const place = `list[${was.id}]`
        if (here && there) {
          for (const name of ['name', 'note']) {
            const [mineIs, otherIs, before] = [here[name], there[name], was[name]]
            const changed = [mineIs, otherIs].filter((word) => word !== before)
            expect(isAsked(`${place}.${name}`)).toBe(changed.length === 2)
            expect(now?.[name]).toBe(changed[0] ?? before)
          }
          continue
        }
        const left = here ?? there
        expect(isAsked(place)).toBe(left !== undefined && !equal(left, was))
        // Keeps `mine` until the admin chooses.
        expect(now).toEqual(isAsked(place) ? here : undefined)
      }
    })
  })

  it('give what the other side would see, where everything is taken from it', () => {
    run(({ ground, mine, other }) => {
      const sorted = (list: readonly ObjectValue[]) =>
        list.map((entry) => JSON.stringify(entry, Object.keys(entry).sort())).sort()
      const taken = mergedList(ground, mine, other, { takes: () => true })
      expect(sorted(taken.list)).toEqual(sorted(mergedList(ground, other, mine).list))
    })
  })

  it('keep the order of a side where the other moved nothing', () => {
    run(({ ground, mine, other }) => {
      const { list } = mergedList(ground, mine, other)
      const names = (all: readonly ObjectValue[], of: readonly ObjectValue[]) => {
        const key = ({ id, name }: ObjectValue) => String(id ?? name)
        const keys = new Set(of.map(key))
        return all.map(key).filter((one) => keys.has(one))
      }
      const moved = (side: readonly ObjectValue[]) =>
        !equal(names(side, ground), names(ground, side))
      if (!moved(other)) expect(names(list, mine)).toEqual(names(mine, list))
      if (!moved(mine)) expect(names(list, other)).toEqual(names(other, list))
    })
  })

  // Excludes removal conflicts: with those, only the server checks the count.
  it('stay within what a list may hold, and name all that is left out', () => {
    run(({ ground, mine, other }) => {
      const most = Math.max(ground.length, mine.length, other.length)
      const fields = [{ ...namesField('list'), max: most }]
      const whole = mergedList(ground, mine, other)
      fc.pre(whole.clashes.every(({ kind }) => kind !== 'removed'))
      for (const side of ['mine', 'other'] as const) {
        const takes = (place: string) => place === 'list' && side === 'other'
        const { list, clashes } = mergedList(ground, mine, other, { fields, takes })
        const count = clashes.find(({ kind }) => kind === 'count')
        expect(count !== undefined).toBe(whole.list.length > most)
        if (count?.kind !== 'count') continue
        const out = side === 'mine' ? count.other : count.mine
        const rest = whole.list.filter((entry) => !out.includes(entry))
        expect(list).toEqual(rest)
        expect(list.length).toBeLessThanOrEqual(most)
      }
    })
  })
})
