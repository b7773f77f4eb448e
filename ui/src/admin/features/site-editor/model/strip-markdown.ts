// Strips Markdown from rich text, for names and lists.

/** The plain text: without markers for bold, italics and links; list items begin with a bullet. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/^[ \t]*[-*+][ \t]+/gm, '• ')
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/(?<!\\)(?:\*\*|__)/g, '')
    .replace(/(?<![\\\p{L}\p{N}])[*_](?=\S)|(?<=[^\s\\])[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/\\([\\*_[\]()#+.!<>`~\n-])/g, '$1')
}
