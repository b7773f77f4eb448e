// The toolbar of the article's text: each button is a pure change of text and selection.

export type Selection = { readonly text: string; readonly start: number; readonly end: number }

export type Mark = 'bold' | 'italic' | 'heading' | 'list' | 'numbers' | 'quote' | 'link'

export function applyMark(selection: Selection, mark: Mark): Selection {
  switch (mark) {
    case 'bold':
      return wrapped(selection, '**', 'testo in grassetto')
    case 'italic':
      return wrapped(selection, '*', 'testo in corsivo')
    case 'link':
      return linked(selection)
    case 'heading':
      // The title of the page is the first level: the server draws one sign as the second.
      return prefixed(selection, () => '# ', /^#{1,6} /)
    case 'list':
      return prefixed(selection, () => '- ', /^[-*] /)
    case 'numbers':
      return prefixed(selection, (line) => `${line + 1}. `, /^\d+\. /)
    case 'quote':
      return prefixed(selection, () => '> ', /^> /)
  }
}

/** Puts the mark around the selection, or takes it away where it already stands. */
function wrapped({ text, start, end }: Selection, mark: string, sample: string): Selection {
  const size = mark.length
  const before = text.slice(0, start)
  const after = text.slice(end)
  const inside = text.slice(start, end)
  const doubled = mark === '*' && before.endsWith('**') && after.startsWith('**')
  if (before.endsWith(mark) && after.startsWith(mark) && !doubled) {
    const bare = before.slice(0, -size) + inside + after.slice(size)
    return { text: bare, start: start - size, end: end - size }
  }
  const words = inside === '' ? sample : inside
  return {
    text: before + mark + words + mark + after,
    start: start + size,
    end: start + size + words.length,
  }
}

/** Leaves the address selected, because that is what is typed next. */
function linked({ text, start, end }: Selection): Selection {
  const words = start === end ? 'testo del link' : text.slice(start, end)
  const address = 'https://'
  const begin = start + words.length + 3
  return {
    text: `${text.slice(0, start)}[${words}](${address})${text.slice(end)}`,
    start: begin,
    end: begin + address.length,
  }
}

/** Puts the mark before every selected line, or takes it away when every line has it. */
function prefixed(
  { text, start, end }: Selection,
  prefix: (line: number) => string,
  existing: RegExp,
): Selection {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next === -1 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const all = lines.every((line) => existing.test(line))
  const marked = lines.map((line, index) => {
    const bare = line.replace(existing, '')
    return all ? bare : prefix(index) + bare
  })
  const block = marked.join('\n')
  return {
    text: text.slice(0, from) + block + text.slice(to),
    start: from,
    end: from + block.length,
  }
}
