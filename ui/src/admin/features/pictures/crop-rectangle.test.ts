import { describe, expect, it } from 'vitest'
import {
  type Corner,
  fitRatio,
  fromParts,
  move,
  moveCorner,
  toParts,
  turn,
  WHOLE,
} from './crop-rectangle'

const frame = { left: 0.2, top: 0.4, width: 0.5, height: 0.4 }
const CORNERS: readonly Corner[] = ['topLeft', 'topRight', 'bottomLeft', 'bottomRight']

function expectInside({ left, top, width, height }: typeof frame) {
  for (const side of [left, top, 1 - left - width, 1 - top - height]) {
    expect(side).toBeGreaterThanOrEqual(-1e-9)
  }
  expect(width).toBeGreaterThan(0.01)
  expect(height).toBeGreaterThan(0.01)
}

describe('the frame that crops a picture', () => {
  it('stops at the sides of the picture', () => {
    const { left, top } = move(frame, 1, -1)
    expect(left).toBeCloseTo(0.5)
    expect(top).toBe(0)
  })

  it('keeps the opposite corner, and its ratio, wherever a corner goes', () => {
    for (const corner of CORNERS) {
      for (const ratio of [null, 0.1, 1, 8]) {
        for (const [across, down] of [
          [0.1, 0.05],
          [-2, 0.3],
          [2, 2],
          [-0.01, -3],
        ] as const) {
          const start = ratio === null ? frame : fitRatio(frame, ratio)
          const next = moveCorner(start, corner, across, down, ratio)
          expectInside(next)
          if (ratio !== null) expect(next.width / next.height).toBeCloseTo(ratio)
          const fixed = (one: typeof frame) => [
            corner.endsWith('Left') ? one.left + one.width : one.left,
            corner.startsWith('top') ? one.top + one.height : one.top,
          ]
          expect(fixed(next)[0]).toBeCloseTo(fixed(start)[0] ?? -1)
          expect(fixed(next)[1]).toBeCloseTo(fixed(start)[1] ?? -1)
        }
      }
    }
  })

  it('is the largest of a ratio around its centre', () => {
    expect(fitRatio(WHOLE, 0.5)).toEqual({ left: 0.25, top: 0, width: 0.5, height: 1 })
    expect(fitRatio({ left: 0.9, top: 0, width: 0.1, height: 1 }, 2)).toEqual({
      left: 0,
      top: 0.25,
      width: 1,
      height: 0.5,
    })
  })

  it('is where it was after a turn and its way back, and after four turns', () => {
    const back = turn(turn(frame, true), false)
    const round = turn(turn(turn(turn(frame, true), true), true), true)
    for (const side of ['left', 'top', 'width', 'height'] as const) {
      expect(back[side]).toBeCloseTo(frame[side])
      expect(round[side]).toBeCloseTo(frame[side])
    }
    expect(turn(frame, true)).toMatchObject({ top: 0.2, width: 0.4, height: 0.5 })
  })

  it('is sent in whole parts that stay inside of the picture', () => {
    const third = { left: 1 / 3, top: 2 / 3, width: 2 / 3, height: 1 / 3 }
    expect(toParts(third)).toEqual({ left: 3333, top: 6667, width: 6667, height: 3333 })
    expect(toParts(WHOLE)).toBeNull()
    expect(toParts(fromParts(toParts(third)))).toEqual(toParts(third))
    expect(fromParts(null)).toEqual(WHOLE)
  })
})
