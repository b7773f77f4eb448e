// Splits a text into paragraphs at empty lines.

/**
 * Returns all paragraphs, empty ones included, so that a paragraph keeps its index while the one before it is empty. A
 * further blank line belongs to no paragraph.
 */
export function paragraphsIn(text: string): readonly string[] {
  const [first = '', ...others] = text.split('\n\n')
  return [first, ...others.map((other) => other.replace(/^\n/, ''))]
}
