// Converts clipboard content of other programs to what the schema supports.

import { type Schema, Slice } from 'prosemirror-model'
import { parse } from './markdown'

/** Reduces HTML of Word, Google Docs and WhatsApp to plain elements of the schema. */
export function cleanHtml(html: string): string {
  const page = new DOMParser().parseFromString(withDataStyles(withoutConditions(html)), 'text/html')
  const { body } = page
  for (const gone of body.querySelectorAll('script, style, meta, link, title, xml')) gone.remove()
  for (const element of [...body.querySelectorAll('*')]) {
    // Word's own elements (o:p, w:sdt) contain only text.
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes)
  }
  wordLists(body)
  styledMarks(body)
  for (const image of body.querySelectorAll('img')) {
    // WhatsApp copies an emoji as an image with the emoji as alternative text.
    const face = /^\p{Emoji}/u.test(image.alt) && !/^\d/.test(image.alt)
    if (face) image.replaceWith(image.alt)
  }
  for (const anchor of body.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    anchor.setAttribute('href', target(anchor.getAttribute('href') ?? ''))
  }
  for (const cell of body.querySelectorAll('td, th')) cell.append(' ')
  return body.innerHTML.replace(/[\u00a0\u200b]/g, ' ')
}

const SIGN = '<span data-sign>$1</span>'

/** Word hides its list markers in conditional comments. */
function withoutConditions(html: string): string {
  return html
    .replace(/<!(?:--)?\[if !supportLists\](?:--)?>([\s\S]*?)<!(?:--)?\[endif\](?:--)?>/g, SIGN)
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[(?:if|endif)[^>]*>/g, '')
}

/** Renames style attributes to data attributes, because the panel's content security policy drops them. */
function withDataStyles(html: string): string {
  return html.replace(/<[^>]+>/g, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))
}

const MARK_STYLES: readonly (readonly [RegExp, string])[] = [
  [/font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration[^;]*line-through/i, 's'],
]

/** Converts bold and italic styles to elements, and removes the <b> with normal weight that Google wraps around all. */
function styledMarks(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll<HTMLElement>('[data-style]')]) {
    const style = element.dataset.style ?? ''
    if (element.localName === 'b' && /font-weight:\s*(?:normal|400)/i.test(style)) {
      if (!style.includes('mso-')) element.replaceWith(...element.childNodes)
      continue
    }
    if (!['span', 'a', 'font'].includes(element.localName)) continue
    for (const [pattern, name] of MARK_STYLES) {
      if (!pattern.test(style)) continue
      const mark = document.createElement(name)
      mark.append(...element.childNodes)
      element.append(mark)
    }
  }
}

/** Resolves a redirect URL of Google to its target. */
function target(href: string): string {
  try {
    const url = new URL(href)
    const isGoogle = url.hostname === 'www.google.com' && url.pathname === '/url'
    return (isGoogle && url.searchParams.get('q')) || href
  } catch {
    return href
  }
}

/** Converts Word's list items, which are paragraphs with an `mso-list` style, to lists. */
function wordLists(body: HTMLElement): void {
  let open: { list: Element; last: Element; level: number }[] = []
  for (const item of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, ul, ol, table')]) {
    const style = item.dataset.style ?? ''
    const found = /mso-list:\s*l\d+\s+level(\d+)/i.exec(style)
    if (found === null) {
      open = []
      continue
    }
    const level = Number(found[1])
    const li = document.createElement('li')
    const words = document.createElement('p')
    words.append(...item.childNodes)
    const number = /^\s*(?:\d+|[a-z])[.)]/i.exec(signOf(words))
    li.append(words)
    open = open.filter((one) => one.level <= level)
    const current = open.at(-1)
    if (current?.level === level) {
      current.list.append(li)
      current.last = li
      item.remove()
      continue
    }
    const list = document.createElement(number === null ? 'ul' : 'ol')
    list.append(li)
    if (current === undefined) item.replaceWith(list)
    else {
      current.last.append(list)
      item.remove()
    }
    open.push({ list, last: li, level })
  }
}

/** Removes the marker of a list item and returns it. */
function signOf(words: HTMLElement): string {
  const hidden = words.querySelector('[data-sign]')
  if (hidden !== null) {
    hidden.remove()
    return hidden.textContent
  }
  const first = document.createTreeWalker(words, NodeFilter.SHOW_TEXT).nextNode()
  const sign = /^\s*(?:[·•§-]|(?:\d+|[a-z])[.)])\s+/i.exec(first?.nodeValue ?? '')?.[0] ?? ''
  if (first !== null) first.nodeValue = (first.nodeValue ?? '').slice(sign.length)
  return sign
}

const MESSAGE_HEAD = /^\[\d{1,2}[:.]\d{2}, \d{1,2}\/\d{1,2}\/\d{2,4}\] [^:\n]{1,60}: /gm

/** Parses plain text as Markdown if it looks like Markdown, else as lines with WhatsApp's formatting. */
export function plainSlice(text: string, schema: Schema): Slice {
  const lines = text.replace(/\r\n?/g, '\n').replace(MESSAGE_HEAD, '')
  const isMarkdown = /^(?:#{1,6} |> |```)|\*\*\S|\]\(\S/m.test(lines)
  const prepared = isMarkdown ? lines : fromMessage(lines)
  const { content } = parse(prepared, schema).doc
  const only = content.childCount === 1 ? content.firstChild : null
  // A single paragraph is inserted inline at the caret.
  return only?.type.name === 'paragraph' ? new Slice(content, 1, 1) : Slice.maxOpen(content, false)
}

/** Converts WhatsApp's `*bold*`, `_italic_`, `~struck~` and line breaks to Markdown. */
function fromMessage(text: string): string {
  const signed = text
    .replace(/[\\`[\]<>]/g, (sign) => `\\${sign}`)
    .replace(/(^|[\s(])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?=$|[\s.,;:!?)])/gm, '$1**$2**')
  return signed
    .replace(/([^\n])\n(?!\n|\s*[-*•] |\s*\d+[.)] )/g, '$1\\\n')
    .replace(/^\s*• /gm, '- ')
}
