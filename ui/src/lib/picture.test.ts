import { expect, it } from 'vitest'
import {
  cropPosition,
  fillingSizes,
  focusStep,
  type Picture,
  plainSource,
  sourceSet,
} from './picture'

const picture: Picture = {
  url: '/objects/uploads/p1',
  width: 2000,
  height: 1000,
  placeholder: '',
  alt: null,
  focusX: 50,
  focusY: 50,
  widths: [320, 1280, 1920],
  formats: ['webp', 'jpeg'],
  social: '/objects/uploads/p1/social.jpg',
}

it('names every width of a format', () => {
  expect(sourceSet(picture, 'jpeg')).toBe(
    '/objects/uploads/p1/320.jpg 320w, /objects/uploads/p1/1280.jpg 1280w, /objects/uploads/p1/1920.jpg 1920w',
  )
  expect(sourceSet(picture, 'webp')).toContain('/320.webp 320w')
})

it('falls back on a moderate width, or on the picture itself', () => {
  expect(plainSource(picture)).toBe('/objects/uploads/p1/1280.jpg')
  expect(plainSource({ ...picture, widths: [] })).toBe('/objects/uploads/p1')
})

it('finds the nearest of eleven focal steps', () => {
  expect([0, 4, 5, 50, 96, 100, 400].map(focusStep)).toEqual([0, 0, 1, 5, 10, 10, 10])
})

it('keeps the point that was chosen where a frame cuts nothing', () => {
  // Regression: a 3:2 picture is not cut in the desktop frame, but the phone frame cut it around the middle and lost a
  // face near the edge.
  expect(cropPosition(80, 1)).toBe(80)
  expect(cropPosition(80, 0.5)).toBe(100)
  expect(cropPosition(30, 0.5)).toBe(10)
  expect(cropPosition(50, 0.5)).toBe(50)
})

it('asks wider for what a taller frame crops', () => {
  const wide = { ...picture, width: 1600, height: 1200 }
  expect(fillingSizes('(width >= 48rem) 20.5rem, 90vw', wide, 2 / 3)).toBe(
    '(width >= 48rem) 41rem, 180vw',
  )
  expect(fillingSizes('(width >= 48rem) 20.5rem, 90vw', wide, 2)).toBe(
    '(width >= 48rem) 20.5rem, 90vw',
  )
})
