// The pictures of a block, and what they say to who cannot see them.
import type { Block, Group, PictureWord } from './contract'
import { isGroup, leavesOf } from './value'

/** Those that are hers: a place without one is drawn by the site. */
export function picturesIn(
  block: Block,
  value: Group,
): readonly { readonly path: string; readonly picture: PictureWord }[] {
  return leavesOf(block.fields, value).flatMap(({ path, field, word }) =>
    field.type === 'picture' && isGroup(word)
      ? [{ path, picture: word as unknown as PictureWord }]
      : [],
  )
}

/** Neither described nor said to be there for its looks alone. */
export function isSilent({ alt, decorative }: PictureWord): boolean {
  return !decorative && alt.trim() === ''
}
