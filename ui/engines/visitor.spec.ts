// A visitor on every page, on a desktop and on a phone, in every engine.

import { pathOf, publicPages } from '../e2e/test'
import type { Size } from './driver'
import {
  button,
  css,
  desktop,
  dialog,
  exactly,
  expect,
  field,
  heading,
  inside,
  link,
  nth,
  phone,
  test,
  text,
} from './test'
import type { User } from './user'

const sizes: readonly (readonly [string, Size])[] = [
  ['desktop', desktop],
  ['phone', phone],
]

/** What a page that reads well does not have. */
function layoutFaults(): string[] {
  const faults: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) faults.push(`wider than the window: ${root.scrollWidth}`)
  for (const image of document.images)
    if (image.complete && image.naturalWidth === 0) faults.push(`broken picture ${image.src}`)
  if (document.fonts.status !== 'loaded') faults.push('fonts are loading')
  // Regression: in Firefox the last word and the arrow of a text link fell on a second line with room to spare.
  for (const icon of document.querySelectorAll('main a > svg:last-child')) {
    const link = icon.parentElement as HTMLElement
    const words = document.createRange()
    words.selectNodeContents(link)
    const lines = new Set([...words.getClientRects()].map(({ top }) => Math.round(top / 12)))
    link.style.whiteSpace = 'nowrap'
    const { width } = link.getBoundingClientRect()
    link.style.whiteSpace = ''
    if (lines.size > 2 && width <= (link.parentElement?.clientWidth ?? 0))
      faults.push(`broken link ${link.textContent}`)
  }
  return faults
}

for (const [name, size] of sizes) {
  test(`every page loads quietly and fits (${name})`, async ({ user, site }) => {
    await user.resize(size)
    for (const page of publicPages) {
      await user.open(await pathOf(page, site as never))
      await user.until(`document.fonts.status === 'loaded'`)
      expect(await user.evaluate(layoutFaults), page).toEqual([])
    }
  })
}

async function answerCookies(user: User) {
  await user.press(button('Solo Necessari'))
  await user.gone(css('section[aria-label="Informativa breve sui cookie"]'))
}

test('the menu drawer opens, and a press beside it, Escape, Back and a link close it (phone)', async ({
  user,
}) => {
  await user.resize(phone)
  await user.open('/contatti')
  await answerCookies(user)
  await user.open('/eventi')
  const menu = button('Apri il menu')
  const leave = [() => user.pressAt(20, 500), () => user.keys('Escape'), () => user.back()]
  for (const close of leave) {
    await user.press(menu)
    await user.see(dialog())
    await user.until('history.state?.layer === 1')
    await close()
    await user.gone(dialog())
    await user.until('!history.state?.layer')
    await user.until(`location.pathname === '/eventi'`)
    await user.focused(menu)
  }
  await user.press(menu)
  await user.press(inside(dialog(), link('Chi Sono')))
  await user.see(heading('Chi'))
  await user.until(`location.pathname === '/chi-sono'`)
  await user.back()
  await user.until(`location.pathname === '/eventi'`)
})

test('carousel dots turn the strip', async ({ user }) => {
  await user.resize(phone)
  await user.open('/testimonianze')
  await answerCookies(user)
  const gallery = css('[role=group][aria-label*="Galleria Fotografica"]')
  const dot = nth(inside(gallery, { role: 'button' }), 2)
  await user.press(dot)
  await user.see(
    css('[role=group][aria-label*="Galleria Fotografica"] button:nth-child(3)[aria-current=true]'),
  )
})

test('the lightbox goes on by keys, closes by Escape and Back, and gives the focus back', async ({
  user,
}) => {
  await user.resize(desktop)
  await user.open('/testimonianze')
  await answerCookies(user)
  const lightbox = dialog('Immagine ingrandita')
  const picture = link('Ingrandisci')
  await user.press(picture)
  await user.see(lightbox)
  await user.reads(lightbox, /\b1 \/ \d/)
  await user.keys('ArrowRight')
  await user.reads(lightbox, /\b2 \/ \d/)
  await user.keys('ArrowLeft', 'ArrowLeft')
  await user.reads(lightbox, /\b(\d+) \/ \1/)
  await user.keys('Escape')
  await user.gone(dialog())
  await user.focused(picture)
  await user.press(picture)
  await user.see(lightbox)
  // The layer gets its history entry in the next task.
  await user.until('history.state?.layer === 1')
  await user.back()
  await user.gone(dialog())
  await user.until(`location.pathname === '/testimonianze'`)
})

test('the cookie preferences fit their content, close by a press beside them and keep the choice', async ({
  user,
}) => {
  await user.resize({ width: 1366, height: 1100 })
  await user.open('/privacy')
  await user.press(button('Personalizza'))
  const preferences = dialog('Preferenze cookie')
  await user.see(preferences)
  // Regression: WebKit made modal dialogs with `display: grid` as tall as the window.
  const height = await user.evaluate(
    () => document.querySelector('dialog[open]')?.getBoundingClientRect().height ?? 0,
  )
  expect(height).toBeLessThan(900)
  await user.pressAt(30, 300)
  await user.gone(preferences)
  await user.focused(button('Personalizza'))
  await user.press(button('Personalizza'))
  await user.press(inside(preferences, button('Salva preferenze')))
  await user.gone(preferences)
  await user.open('/terms')
  expect(await user.count(button('Personalizza'))).toBe(0)
})

test('questions open one at a time, flip cards turn and benefits open', async ({ user }) => {
  await user.resize(desktop)
  await user.open('/contatti')
  await answerCookies(user)
  const questions = css('main details > summary')
  await user.press(nth(questions, 1))
  await user.until(`document.querySelectorAll('main details[open]').length === 1`)
  await user.press(nth(questions, 2))
  await user.until(`document.querySelectorAll('main details')[2].open`)
  expect(await user.evaluate(() => document.querySelectorAll('main details[open]').length)).toBe(1)
  await user.open('/')
  const benefits = button('Scopri i benefici')
  await user.press(benefits)
  await user.see(dialog())
  await user.pressAt(10, 300)
  await user.gone(dialog())
  await user.focused(benefits)
})

test('a link changes the page without a reload, and Back restores the place', async ({ user }) => {
  await user.resize(desktop)
  await user.open('/rebirthing')
  await answerCookies(user)
  await user.evaluate(() => scrollTo({ top: 1600, behavior: 'instant' }))
  await user.evaluate(() => {
    Object.assign(window, { isSameDocument: true })
  })
  await user.press(inside(css('header'), link('Contatti')))
  await user.until(`location.pathname === '/contatti' && scrollY === 0`)
  await user.see(exactly(heading('Contatti')))
  await user.back()
  await user.until(`location.pathname === '/rebirthing' && Math.abs(scrollY - 1600) < 40`)
  await user.until('window.isSameDocument === true')
})

test('the newsletter form refuses a wrong address in Italian and takes a right one', async ({
  user,
}) => {
  await user.resize(phone)
  await user.open('/blog')
  await answerCookies(user)
  const address = field('Indirizzo e-mail')
  await user.fill(address, 'anna@')
  await user.press(button('Iscriviti'))
  await user.see(text("Controlla l'indirizzo e-mail"))
  await user.fill(address, 'giulia@example.com')
  await user.press(button('Iscriviti'))
  await user.see(text('Grazie! Il tuo indirizzo'))
})
