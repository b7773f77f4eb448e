// Keeps words of the program out of the sentences that the practitioner reads in the panel.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

const PROGRAM_WORDS: readonly RegExp[] = [
  /\bslug\b/i,
  /\bblocc(o|hi)\b/i,
  /\bbozz[ae] local[ei]\b/i,
  /\bsincronizza/i,
  /\bcache\b/i,
  /\b(JSON|CSV|URL|API|HTTPS?(?!:\/\/)|Markdown)\b/,
  /\b(token|log|editor|database|record|query|timeout|default|provider|bucket)\b/i,
  /\bparametr[oi]\b/i,
  /\belement[oi]\b/i,
  /\bcredenziali\b/i,
  /\bsola lettura\b/i,
  /\berrore [45]\d\d\b/i,
  /\b(undefined|null|NaN)\b/,
  /\bAdmin Panel\b/,
]

/** Texts that may contain such a word, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Admin Panel': 'the specification names the screen so',
}

function programWordsIn(text: string): readonly string[] {
  if (text in EXCEPTIONS) return []
  const sentence = text.replace(/\{\w+\}/g, '')
  return PROGRAM_WORDS.flatMap((word) => word.exec(sentence)?.[0] ?? [])
}

const ui = fileURLToPath(new URL('../..', import.meta.url))

it('finds a word of the program in a sentence', () => {
  expect(programWordsIn('Errore 409: lo slug è già nella cache')).toEqual([
    'slug',
    'cache',
    'Errore 409',
  ])
  expect(programWordsIn('Deve iniziare con https://')).toEqual([])
  expect(programWordsIn('La pagina dell’editore')).toEqual([])
})

it('no sentence of the panel contains a word of the program', () => {
  const found = [...scriptTexts(), ...jsonTexts(), ...rustTexts()]
  expect(found.length).toBeGreaterThan(1_000)
  const wrong = found.flatMap(({ file, text }) =>
    programWordsIn(text).map((word) => `${file}: «${word}» in «${text}»`),
  )
  expect(wrong).toEqual([])
})

type Found = { readonly file: string; readonly text: string }

/** The English messages of thrown errors have no capital letter; names and selectors no two words. */
function isShown(text: string): boolean {
  return /[A-ZÀ-Ý«]/.test(text) || /[à-ÿ’]/.test(text) || /[a-z]{2}[.,:!?]? [a-z]+ [a-z]/.test(text)
}

/** String literals, templates and JSX texts of the panel and of the generated tables. */
function scriptTexts(): readonly Found[] {
  const files = readdirSync(`${ui}src`, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /^(admin|kinds|lib)\/.*\.tsx?$/.test(name))
    .filter((name) => !/\.(test|fixture)\.tsx?$/.test(name))
    .flatMap((file) => {
      const { program } = parseSync(file, readFileSync(`${ui}src/${file}`, 'utf8'))
      return textsIn(program)
        .filter(isShown)
        .map((text) => ({ file, text }))
    })
}

function textsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, value } = node as { readonly type?: string; readonly value?: unknown }
  if (type === 'ImportDeclaration' || type === 'TSLiteralType') return []
  if (type === 'Literal') return typeof value === 'string' ? [value] : []
  if (type === 'JSXText' && typeof value === 'string') return [value.replace(/\s+/g, ' ').trim()]
  if (type === 'TemplateElement') return [(value as { readonly cooked: string }).cooked]
  return Object.values(node).flatMap(textsIn)
}

function jsonTexts(): readonly Found[] {
  const tables = [
    'admin/features/site-editor/messages.json',
    'admin/ui/seo-messages.json',
    'admin/lint/terms.json',
  ]
  const values = (node: unknown): readonly string[] =>
    typeof node === 'string'
      ? [node]
      : typeof node === 'object' && node !== null
        ? Object.values(node).flatMap(values)
        : []
  return tables.flatMap((file) =>
    values(JSON.parse(readFileSync(`${ui}src/${file}`, 'utf8'))).map((text) => ({ file, text })),
  )
}

/** Sentences of the server that the panel shows: reasons, validation messages, notices. */
function rustTexts(): readonly Found[] {
  const src = `${ui}../src/`
  const crates = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = crates
    .map(({ name }) => `${name}/messages.rs`)
    .filter((file) => readdirSync(`${src}${file.split('/')[0]}`).includes('messages.rs'))
  return [
    ...files,
    'content/blocks/validation.rs',
    'content/validation.rs',
    'content/blocks/change.rs',
  ].flatMap((file) => {
    const code = (readFileSync(`${src}${file}`, 'utf8').split('#[cfg(test)]')[0] ?? '').replace(
      /^\s*\/\/.*$/gm,
      '',
    )
    const literals = [...code.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, text = '']) =>
      text.replace(/\\\n\s*/g, ''),
    )
    return literals.filter((text) => text.includes(' ')).map((text) => ({ file, text }))
  })
}
