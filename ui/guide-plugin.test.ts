import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseGuide } from './guide-plugin'
import { CONTENT_KINDS } from './src/admin/api/kind-labels'
import { AREA_TITLES } from './src/admin/app/area-titles'
import type { Area } from './src/admin/app/routes'
import { type GuideNode, plainText } from './src/admin/features/guide/guide-node'
import { sectionOf } from './src/admin/features/guide/guide-section-for-route'
import { searchGuide, stemsOf } from './src/admin/features/guide/search-guide'

const folder = new URL('../docs/', import.meta.url)
const guide = parseGuide(readFileSync(new URL('uso.md', folder), 'utf8'))

function picturesIn(node: GuideNode): readonly string[] {
  if (typeof node === 'string') return []
  return [node.src ?? [], (node.children ?? []).flatMap(picturesIn)].flat()
}

describe('the guide in the panel', () => {
  it('has a section for every screen', () => {
    const ids = new Set(guide.map(({ id }) => id))
    const first = 'course-testimonials'
    for (const area of Object.keys(AREA_TITLES) as Area[]) {
      const kinds = area === 'contenuti' ? CONTENT_KINDS : [first]
      for (const kind of kinds as typeof CONTENT_KINDS) {
        expect(ids, `${area} ${kind}`).toContain(sectionOf({ area, kind }))
      }
    }
  })

  it('has each section once, with text and with pictures that exist', () => {
    expect(new Set(guide.map(({ id }) => id)).size).toBe(guide.length)
    for (const { title, nodes } of guide) {
      expect(nodes.map(plainText).join('').length, title).toBeGreaterThan(40)
      for (const src of nodes.flatMap(picturesIn)) {
        expect(existsSync(new URL(src, folder)), src).toBe(true)
      }
    }
    expect(guide.flatMap(({ nodes }) => nodes.flatMap(picturesIn)).length).toBeGreaterThan(10)
  })

  it('shows no marks of Markdown', () => {
    const text = guide.flatMap(({ nodes }) => nodes.map(plainText)).join('\n')
    expect(text).not.toMatch(/\*\*|^\||`|\]\(|<img/m)
  })

  it('keeps tables, lists and pictures apart', () => {
    const [section] = parseGuide('## A\n\n| a | **b** |\n|---|---|\n| c | d |\n\n- uno\n- `due`\n')
    expect(section?.nodes).toEqual([
      {
        tag: 'table',
        children: [
          {
            tag: 'thead',
            children: [
              {
                tag: 'tr',
                children: [
                  { tag: 'th', children: ['a'] },
                  { tag: 'th', children: [{ tag: 'strong', children: ['b'] }] },
                ],
              },
            ],
          },
          {
            tag: 'tbody',
            children: [
              {
                tag: 'tr',
                children: [
                  { tag: 'td', children: ['c'] },
                  { tag: 'td', children: ['d'] },
                ],
              },
            ],
          },
        ],
      },
      {
        tag: 'ul',
        children: [
          { tag: 'li', children: ['uno'] },
          { tag: 'li', children: [{ tag: 'code', children: ['due'] }] },
        ],
      },
    ])
  })
})

describe('the search in the guide', () => {
  const titles = (query: string) => searchGuide(guide, query).map(({ section }) => section.title)

  it('understands a question in other forms of its words', () => {
    expect(stemsOf('Come cambio un prezzo?')).toEqual(['camb', 'prezz'])
    expect(titles('Come cambio un prezzo?')).toContain('Pagine')
    expect(titles('aggiungere un evento')).toContain('Eventi')
    expect(titles('ho dimenticato la password')).not.toEqual([])
  })

  it('shows the passages that answer, or the whole section of a title', () => {
    const [first] = searchGuide(guide, 'cestino')
    expect(first?.section.title).toBe('Cestino')
    expect(first?.passages).toEqual(first?.section.nodes)
    const passages = searchGuide(guide, 'HEIC').flatMap((hit) => hit.passages)
    expect(passages.map(plainText).every((text) => text.includes('HEIC'))).toBe(true)
  })

  it('finds nothing for nothing', () => {
    expect(searchGuide(guide, '   ')).toEqual([])
    expect(titles('fattura elettronica')).toEqual([])
  })
})
