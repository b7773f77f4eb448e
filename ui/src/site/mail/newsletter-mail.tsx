// Renders an email as tables with inline styles, the only ones that some email clients support.

import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { LetterWords } from '../content/blocks-for-page'
import type { Settings } from '../page-data'
import { setting } from '../settings'
import { mailMessages, senderLine } from './messages'

export type MailInput = {
  readonly publicUrl: string
  readonly settings: Settings
  readonly words: LetterWords
  readonly subject: string
  /** Heading above the text. */
  readonly heading: string
  /** Note about this message from the program. */
  readonly note: string | null
  readonly preheader: string
  readonly html: string
  readonly plain: string
  readonly button: { readonly text: string; readonly url: string } | null
  /** Footer lines of an email that is no newsletter; all newsletters have the same footer. */
  readonly foot?: readonly FootLine[]
  /** Placeholders that the server replaces for each recipient. */
  readonly unsubscribeMark: string
  readonly whyMark: string
}

type FootLine = {
  readonly text: string
  readonly link: { readonly text: string; readonly url: string } | null
}

// Colours of the site (`styles/tokens.css`); an email cannot use custom properties.
const INK = '#12312f'
const QUIET = '#47605d'
const ACTION = '#1f5c5c'
const PAPER = '#fbf7f0'
const LINE = '#e2d7c6'
const WIDTH_PX = 600
const INSIDE_PX = 536
const FONT = "font-family:Figtree,'Helvetica Neue',Arial,sans-serif;"
const TEXT = `${FONT}font-size:17px;line-height:1.6;color:${INK};`
const SMALL = `${FONT}font-size:13px;line-height:1.55;color:${QUIET};margin:0 0 8px;`
const FIRST_LINE = `${SMALL}border-top:1px solid ${LINE};padding-top:20px;`
const FOOT_LINK = `color:${QUIET};text-decoration:underline;`
const HEAD = `font-family:Fraunces,Georgia,serif;font-weight:normal;line-height:1.25;color:${INK};`
const BUTTON = `${FONT}display:inline-block;padding:13px 26px;border-radius:24px;background-color:${ACTION};color:#ffffff;font-size:16px;font-weight:bold;text-decoration:none;`

/** Rules for email clients that read style sheets; the others do not need them. */
const SHEET = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.paper,.sheet{background-color:#0f2422!important}.words,.words *{color:#eaf2f0!important}.quiet,.quiet *{color:#b9cbc8!important}.words a.button{color:#ffffff!important}}
@media (max-width:480px){.sheet td{padding-left:20px!important;padding-right:20px!important}}`

/** Renders the HTML part and the plain-text part. */
export function newsletterMail(input: MailInput): { html: string; text: string } {
  return {
    html: `<!DOCTYPE html>${renderToString(<Mail input={input} />)}`,
    text: plainMail(input),
  }
}

function Mail({ input }: { readonly input: MailInput }) {
  const { settings, button } = input
  return (
    <html lang="it">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{input.subject}</title>
        <style dangerouslySetInnerHTML={{ __html: SHEET }} />
      </head>
      <body class="paper" style={`margin:0;padding:0;background-color:${PAPER};`}>
        <div style="display:none;max-height:0;overflow:hidden;">{input.preheader}</div>
        <Centred>
          <p class="quiet" style={`${SMALL}margin:0;`}>
            {setting('brand', settings)}
          </p>
          <h1 class="words" style={`${HEAD}font-size:30px;margin:12px 0 20px;`}>
            {input.heading}
          </h1>
          {input.note === null ? null : (
            <p class="quiet" style={SMALL}>
              <b>{input.note}</b>
            </p>
          )}
          <div
            class="words"
            style={TEXT}
            dangerouslySetInnerHTML={{ __html: withMailStyles(input.html) }}
          />
          {button === null ? null : (
            <p class="words" style="margin:24px 0 0;">
              <a class="button" href={button.url} style={BUTTON}>
                {button.text}
              </a>
            </p>
          )}
        </Centred>
        <Centred>
          <div class="quiet">
            {input.foot === undefined ? <Foot input={input} /> : <OwnFoot lines={input.foot} />}
          </div>
        </Centred>
      </body>
    </html>
  )
}

function Centred({ children }: { readonly children: ComponentChildren }) {
  return (
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border:0;">
      <tbody>
        <tr>
          <td align="center">
            <table
              class="sheet"
              role="presentation"
              width={WIDTH_PX}
              cellpadding="0"
              cellspacing="0"
              style={`width:100%;max-width:${WIDTH_PX}px;border:0;`}
            >
              <tbody>
                <tr>
                  <td style="padding:28px 32px;text-align:left;">{children}</td>
                </tr>
              </tbody>
            </table>
          </td>
        </tr>
      </tbody>
    </table>
  )
}

function OwnFoot({ lines }: { readonly lines: readonly FootLine[] }) {
  return (
    <>
      {lines.map(({ text, link }, place) => (
        <p key={text} style={place === 0 ? FIRST_LINE : SMALL}>
          {text}{' '}
          {link === null ? null : (
            <a href={link.url} style={FOOT_LINK}>
              {link.text}
            </a>
          )}
        </p>
      ))}
    </>
  )
}

function Foot({ input }: { readonly input: MailInput }) {
  const { settings, publicUrl, words } = input
  const { reply, unsubscribe, unsubscribeNote } = words['newsletter.letters']
  const { notice, disclaimer } = words['footer.legal']
  return (
    <>
      <p style={FIRST_LINE}>
        {senderLine(settings)} {reply}
      </p>
      <p style={SMALL}>{input.whyMark}</p>
      <p style={SMALL}>
        <a href={input.unsubscribeMark} style={FOOT_LINK}>
          {unsubscribe}
        </a>
        {unsubscribeNote && `. ${unsubscribeNote}`}
      </p>
      <p style={SMALL}>{notice}</p>
      <p style={SMALL}>{disclaimer}</p>
      <p style={SMALL}>
        <a href={`${publicUrl}/privacy`} style={FOOT_LINK}>
          {mailMessages.privacyLink}
        </a>
        {' · '}
        <a href={`${publicUrl}/`} style={FOOT_LINK}>
          {mailMessages.siteLink}
        </a>
      </p>
    </>
  )
}

const STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 16px;',
  h2: `${HEAD}font-size:23px;margin:28px 0 10px;`,
  h3: `${HEAD}font-size:19px;margin:24px 0 8px;`,
  ul: 'margin:0 0 16px;padding-left:22px;',
  ol: 'margin:0 0 16px;padding-left:22px;',
  li: 'margin:0 0 6px;',
  blockquote: `margin:0 0 16px;padding:2px 0 2px 16px;border-left:3px solid ${ACTION};`,
  figure: 'margin:0 0 20px;',
  figcaption: `${FONT}font-size:13px;line-height:1.5;color:${QUIET};margin:6px 0 0;`,
}

/** Adds inline styles to the elements of the server's HTML, which has none. */
export function withMailStyles(html: string): string {
  return html
    .replace(/<(p|h2|h3|ul|ol|li|blockquote|figure|figcaption)( [^>]*)?>/g, (_, name: string) => {
      return `<${name} style="${STYLES[name] ?? ''}">`
    })
    .replace(/<a data-button="" href="([^"]*)">/g, (_, url: string) => {
      return `<a class="button" href="${url}" style="${BUTTON}">`
    })
    .replace(/<a href=/g, `<a style="color:${ACTION};text-decoration:underline;" href=`)
    .replace(
      /<img src="([^"]*)" alt="([^"]*)" width="(\d+)"[^>]*>/g,
      (_, source: string, alt: string, width: string) =>
        `<img src="${source}" alt="${alt}" width="${Math.min(Number(width), INSIDE_PX)}" style="display:block;width:100%;max-width:${INSIDE_PX}px;height:auto;border-radius:12px;">`,
    )
}

function plainMail(input: MailInput): string {
  const { settings, publicUrl, button, words } = input
  const { notice, disclaimer } = words['footer.legal']
  const body = button === null ? input.plain : `${input.plain}\n\n${button.text}:\n${button.url}`
  return [
    ...(input.note === null ? [] : [input.note, '']),
    body.trim(),
    '',
    '-- ',
    senderLine(settings),
    input.whyMark,
    '',
    mailMessages.plainUnsubscribe,
    input.unsubscribeMark,
    '',
    notice,
    disclaimer,
    `${mailMessages.privacyLink}: ${publicUrl}/privacy`,
    '',
  ].join('\n')
}
