// Geometry of the frame that crops a picture; its start and lengths are parts of the picture's sides, from 0 to 1.
import type { PictureEdit, Rectangle } from '../../api/pictures'

export type Corner = 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight'

export const WHOLE: Rectangle = { left: 0, top: 0, width: 1, height: 1 }
/** The smallest side of a frame; the server takes a fiftieth. */
const SIDE_MIN = 0.05
/** The server counts in ten-thousandths. */
const PARTS = 10_000

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

export function move(frame: Rectangle, across: number, down: number): Rectangle {
  return {
    ...frame,
    left: clamp(frame.left + across, 0, 1 - frame.width),
    top: clamp(frame.top + down, 0, 1 - frame.height),
  }
}

/**
 * Moves a corner; the opposite one stays. `ratio` is width by height in parts of the sides, null for any. A frame with a
 * ratio follows the direction in which the corner moved further.
 */
export function moveCorner(
  frame: Rectangle,
  corner: Corner,
  across: number,
  down: number,
  ratio: number | null,
): Rectangle {
  const isLeft = corner === 'topLeft' || corner === 'bottomLeft'
  const isTop = corner === 'topLeft' || corner === 'topRight'
  const right = frame.left + frame.width
  const bottom = frame.top + frame.height
  const widthMax = isLeft ? right : 1 - frame.left
  const heightMax = isTop ? bottom : 1 - frame.top
  let width = clamp(frame.width + (isLeft ? -across : across), SIDE_MIN, widthMax)
  let height = clamp(frame.height + (isTop ? -down : down), SIDE_MIN, heightMax)
  if (ratio !== null) {
    const follows = Math.abs(across) >= Math.abs(down) ? width : height * ratio
    const least = Math.min(Math.max(SIDE_MIN, SIDE_MIN * ratio), widthMax, heightMax * ratio)
    width = clamp(follows, least, Math.min(widthMax, heightMax * ratio))
    height = width / ratio
  }
  return {
    left: isLeft ? right - width : frame.left,
    top: isTop ? bottom - height : frame.top,
    width,
    height,
  }
}

/** The largest frame with this ratio around the same centre, inside of the picture. */
export function fitRatio(frame: Rectangle, ratio: number): Rectangle {
  const width = Math.min(1, ratio)
  const height = width / ratio
  const left = clamp(frame.left + (frame.width - width) / 2, 0, 1 - width)
  const top = clamp(frame.top + (frame.height - height) / 2, 0, 1 - height)
  return { left, top, width, height }
}

/** The same part of the picture after a quarter turn. */
export function turn(frame: Rectangle, isClockwise: boolean): Rectangle {
  const { left, top, width, height } = frame
  return isClockwise
    ? { left: 1 - top - height, top: left, width: height, height: width }
    : { left: top, top: 1 - left - width, width: height, height: width }
}

/** In ten-thousandths, as the server counts; null for the whole picture. */
export function toParts(frame: Rectangle): Rectangle | null {
  const left = Math.round(frame.left * PARTS)
  const top = Math.round(frame.top * PARTS)
  const width = Math.min(PARTS, Math.round((frame.left + frame.width) * PARTS)) - left
  const height = Math.min(PARTS, Math.round((frame.top + frame.height) * PARTS)) - top
  return width === PARTS && height === PARTS ? null : { left, top, width, height }
}

export function fromParts(parts: Rectangle | null): Rectangle {
  if (parts === null) return WHOLE
  const { left, top, width, height } = parts
  return {
    left: left / PARTS,
    top: top / PARTS,
    width: width / PARTS,
    height: height / PARTS,
  }
}

export function isSameEdit(one: PictureEdit, other: PictureEdit): boolean {
  const sides = ({ turns, crop }: PictureEdit) =>
    crop === null ? [turns] : [turns, crop.left, crop.top, crop.width, crop.height]
  return sides(one).join() === sides(other).join()
}
