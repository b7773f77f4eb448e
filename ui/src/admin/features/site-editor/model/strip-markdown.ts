// Rich text is kept as Markdown; names and lists show its words alone.

/** Rich text as it is read: without what makes words bold, a link or a point of a list. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/^[ \t]*[-*+][ \t]+/gm, '• ')
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/(?<!\\)(?:\*\*|__)/g, '')
    .replace(/(?<![\\\p{L}\p{N}])[*_](?=\S)|(?<=[^\s\\])[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/\\([\\*_[\]()#+.!<>`~\n-])/g, '$1')
}
