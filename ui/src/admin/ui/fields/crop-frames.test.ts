import { expect, it } from 'vitest'
import { coverage, cropsOf, type Size, siteCropsOf, warningsOf } from './crop-frames'

const said = (size: Size, crops = siteCropsOf('heroImageOne')) => warningsOf(size, crops, true)

// All places had been measured by 800 pixels: of a picture too small for the opening nothing was said, and of
// one that fills its card that it stays small.
it('says for which of its places a picture is too small, and from which width it is not', () => {
  expect(said({ width: 900, height: 600 })).toEqual([
    'È larga 900 pixel: in apertura di pagina resterà più piccola del suo posto, perché più grande si vedrebbe sgranata. Da 960 pixel in su lo riempie.',
  ])
  expect(said({ width: 960, height: 600 })).toEqual([])
  const event = { width: 450, height: 300 }
  expect(said(event, cropsOf('events', event))[0]).toContain(': in testa alla sua pagina resterà')
  const both = { width: 300, height: 200 }
  expect(said(both, cropsOf('events', both))[0]).toContain(
    ': in testa alla sua pagina e nella scheda resterà',
  )
  const fills = { width: 600, height: 400 }
  expect(said(fills, cropsOf('events', fills))[0]).toContain('Da 800 pixel in su è nitida.')
  expect(said({ width: 90, height: 60 })[0]).toContain('90×60')
})

it('names a width from which a picture of the same proportions fills its places indeed', () => {
  for (const ratio of [0.4, 0.8, 1.5, 3, 5]) {
    const small = { width: 250, height: 250 / ratio }
    const [warning = ''] = said(small, siteCropsOf('contatti.hero.picture'))
    const width = Number(/Da (\d+) pixel/.exec(warning)?.[1])
    const crops = siteCropsOf('contatti.hero.picture')
    const filled = (width: number) =>
      crops.every((crop) => coverage(crop, { width, height: width / ratio }) === 1)
    expect(filled(width), `${ratio}`).toBe(true)
    expect(filled(width - 2), `${ratio}`).toBe(false)
  }
})
