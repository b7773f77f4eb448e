// Splits text pasted from a word processor into its paragraphs.

const BLOCKS =
  'p, div, li, h1, h2, h3, h4, h5, h6, blockquote, pre, td, th, dt, dd, section, article'

/** Splits plain text at empty lines, and HTML at block elements. */
export function parseClipboard(pasted: DataTransfer | null): readonly string[] {
  const text = pasted?.getData('text/plain') ?? ''
  const html = pasted?.getData('text/html') ?? ''
  const blocks = html === '' ? [] : blocksOf(html)
  return blocks.length > 1 ? blocks : paragraphsIn(text.replace(/\r\n?/g, '\n'))
}

function paragraphsIn(text: string): readonly string[] {
  const all = text.split(/\n[\t ]*\n/).map(onOneLine)
  return all.filter((one) => one !== '')
}

function blocksOf(html: string): readonly string[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const gone of body.querySelectorAll('script, style, title, xml')) gone.remove()
  for (const end of body.querySelectorAll('br')) end.replaceWith(' ')
  for (const block of body.querySelectorAll(BLOCKS)) {
    block.before(END)
    block.after(END)
  }
  const all = (body.textContent ?? '').split(END).map(onOneLine)
  return all.filter((one) => one !== '')
}

/** A Unicode noncharacter, which no clipboard contains. */
const END = '\ufdd0'

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
