// A text of several paragraphs: an empty line lies between them.

/**
 * One by one, the empty ones too: each keeps its number while the one before it is empty. A blank
 * line more is of no paragraph.
 */
export function paragraphsIn(text: string): readonly string[] {
  const [first = '', ...others] = text.split('\n\n')
  return [first, ...others.map((other) => other.replace(/^\n/, ''))]
}
