// Distributes any number of cards over full rows: the last cards share what is left.

export type Share = 'third' | 'half' | 'whole'

/** A card's share of a row on wide screens, and whether it has a row of its own on tablets. */
export type Place = { readonly share: Share; readonly isAlone: boolean }

/** Returns the places of `count` cards; a lead has a row of its own. */
export function cardLayout(count: number, hasLead = false): readonly Place[] {
  const leads = hasLead ? Math.min(count, 1) : 0
  const others = count - leads
  // The two cards after a lead are halves, so that sizes decrease in steps.
  const shares = hasLead && others > 1 ? [...halves(2), ...rowsOf(others - 2)] : rowsOf(others)
  return [...wholes(leads), ...shares].map((share, index) => ({
    share,
    isAlone: index < leads || (index === count - 1 && others % 2 === 1),
  }))
}

/** Rows of three; a remainder ends in rows of two. */
function rowsOf(count: number): readonly Share[] {
  if (count === 1) return wholes(1)
  const paired = (3 - (count % 3)) % 3
  const inPairs = Math.min(count, paired * 2)
  return [...Array<Share>(count - inPairs).fill('third'), ...halves(inPairs)]
}

function halves(count: number): readonly Share[] {
  return Array<Share>(count).fill('half')
}

function wholes(count: number): readonly Share[] {
  return Array<Share>(count).fill('whole')
}

const wideByShare = {
  third: '(width >= 76rem) 24rem, (width >= 64rem) 34vw',
  half: '(width >= 76rem) 36rem, (width >= 64rem) 46vw',
  whole: '(width >= 76rem) 50rem, (width >= 64rem) 66vw',
} as const satisfies Readonly<Record<Share, string>>

/**
 * The `sizes` of a card's picture. Beside a card with more text the picture grows and is cropped at
 * its sides.
 */
export function cardSizes({ share, isAlone }: Place): string {
  return `${wideByShare[share]}, (width >= 48rem) ${isAlone ? '72vw' : '52vw'}, 92vw`
}
