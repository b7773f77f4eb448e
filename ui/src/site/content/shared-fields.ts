// Fields that several blocks share.

import { iconNames } from './icons'
import { choice, line, link, list, optional, richText, sentences } from './schema'

export function icon() {
  return choice('Icona', iconNames)
}

/** Closing section of a page, with links to other pages. */
export const closing = {
  title: line('Titolo'),
  text: sentences('Testo'),
  links: list(
    'Pulsanti',
    { label: line('Testo', 60), labelLink: link('Dove porta') },
    { min: 1, max: 4 },
  ),
}

/**
 * A legal page: sections of rich text. A section without a title continues the previous one. `when`
 * shows a section always, only while visits are counted, only while they are not, only while copies
 * of the site are stored elsewhere, or only while requests are logged: with the addresses cut, or
 * with whole ones.
 */
export const legalFields = {
  title: line('Titolo', 60),
  modified: line('Ultima modifica', 80),
  contents: line("Titolo dell'indice", 60),
  sections: list(
    'Sezioni',
    {
      when: choice('Quando', ['always', 'counted', 'uncounted', 'copied', 'logged', 'loggedFull']),
      title: optional(line('Titolo', 160)),
      text: richText('Testo', 8000),
    },
    { min: 1, max: 40 },
  ),
}
