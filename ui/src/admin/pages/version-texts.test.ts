import { describe, expect, it } from 'vitest'
import { blockOf } from './block.fixture'
import { wordText } from './clashes'
import type { Field, Group } from './contract'
import { isOther, textsOf } from './version-texts'

const known = { settings: {}, settingLabels: {}, blocks: [] }
const fields: readonly Field[] = [
  { name: 'portrait', label: 'Ritratto', type: 'picture' },
  { name: 'icon', label: 'Icona', type: 'choice', choices: ['House', 'Presentation'] },
]
const portrait = {
  path: '/objects/uploads/a',
  alt: 'Anna sorride',
  decorative: false,
  focusX: 50,
  focusY: 50,
}
const texts = (value: Group) => textsOf(blockOf(fields, value), value, false, known)

describe('what is compared of a version', () => {
  it.each([
    ['the words of a picture', { alt: 'Tazza di caffè' }],
    ['the point that is not cut off', { focusX: 10 }],
    ['the picture itself', { path: '/objects/uploads/b' }],
  ])('is also %s', (_, change) => {
    const [now, then] = [portrait, { ...portrait, ...change }].map((one) =>
      texts({ portrait: one, icon: 'House' }).get('portrait'),
    )
    expect(isOther(now, then)).toBe(true)
    expect(isOther(now, now)).toBe(false)
    expect(then?.text).not.toContain('/objects')
    expect(then?.picture).toMatchObject(change)
  })

  it('calls an icon by its name', () => {
    expect(texts({ portrait: null, icon: 'House' }).get('icon')?.text).toBe('Casa')
  })

  it('reads both sides of a clash about a picture apart', () => {
    const read = (alt: string) => wordText({ ...portrait, alt, focusX: 10 }, known)
    expect(read('Mio')).toBe("Mio\nPunto da non tagliare: 10% da sinistra, 50% dall'alto")
    expect(read('Altrui')).not.toBe(read('Mio'))
  })
})
