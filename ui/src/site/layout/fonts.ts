// Preloads the typefaces of the first view, before the browser has read the style sheet.

import figtree from '../../styles/fonts/figtree.woff2?url'
import fraunces from '../../styles/fonts/fraunces.woff2?url'
import frauncesItalic from '../../styles/fonts/fraunces-italic.woff2?url'

export const fontPreloads = [fraunces, figtree, frauncesItalic]
  .map((url) => `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin>`)
  .join('')
