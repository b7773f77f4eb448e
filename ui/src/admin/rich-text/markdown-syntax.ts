// Shared by the Markdown parser and serializer of the editor.
import { Fragment, type Node, type Schema } from 'prosemirror-model'

export const BUTTON_TITLE = 'pulsante'

/** Removes line breaks and spaces at both ends. */
export function trimBlank(nodes: readonly Node[], schema: Schema): Node[] {
  const rest = joinTextNodes(nodes)
  const blank = (node: Node | undefined) =>
    node !== undefined && (node.isText ? node.text?.trim() === '' : true)
  while (blank(rest[0])) rest.shift()
  while (blank(rest.at(-1))) rest.pop()
  const cut = (place: number, text: string) => {
    const node = rest.at(place)
    if (node !== undefined)
      rest[place < 0 ? rest.length + place : place] = schema.text(text, node.marks)
  }
  if (rest[0]?.text) cut(0, rest[0].text.trimStart())
  const last = rest.at(-1)
  if (last?.text) cut(-1, last.text.trimEnd())
  return rest
}

/** Joins adjacent text nodes with the same marks. */
export function joinTextNodes(nodes: readonly Node[]): Node[] {
  const result: Node[] = []
  Fragment.fromArray([...nodes]).forEach((node) => {
    const last = result.at(-1)
    if (last?.isText && node.isText && last.sameMarkup(node)) {
      result[result.length - 1] = node.type.schema.text(`${last.text}${node.text}`, node.marks)
    } else result.push(node)
  })
  return result
}
