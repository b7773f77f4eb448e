// The panel in every engine: signing in, an event from the form to the site, uploads, two tabs.

import { resolve } from 'node:path'
import type { Size } from './driver'
import {
  account,
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
  phone,
  test,
  text,
} from './test'
import { slowMs, type User } from './user'

const pictures = ['gallery-1.jpg', 'gallery-2.jpg', 'gallery-3.jpg'].map((name) =>
  resolve(import.meta.dirname, '../../src/importers/demo/pictures', name),
)

type Item = { id: string } & Record<string, unknown>

test.describe('signing in', () => {
  // The panel asks whether there is a session; a wrong password is refused.
  test.use({ expectedFaults: [/\/api\/auth\/(session|login) 401/] })

  test('a wrong password is refused with words, a right one opens', async ({ user }) => {
    await user.resize(phone)
    await user.open('/admin')
    await user.fill(field('E-mail'), account.email)
    await user.fill(field('Password'), 'sbagliata-del-tutto')
    await user.keys('Enter')
    await user.see(css('[role=alert]'))
    await user.fill(field('Password'), account.password)
    await user.press(button('Accedi'))
    await user.see(heading('Buon'))
    await user.press(link('Testimonianze Corsisti'))
    await user.see(heading('Admin Panel'))
  })
})

test.describe('home', () => {
  // Leaving a screen ends what it was still loading.
  test.use({ expectedFaults: [/^not loaded: /] })
  for (const [name, size] of [
    ['desktop', desktop],
    ['phone', phone],
  ] as const) {
    test(`the search opens a price where it stands, and '?' the guide (${name})`, async ({
      admin,
    }) => {
      await admin.resize(size)
      await admin.open('/admin#/casa')
      const search = css('[role=combobox]')
      await admin.fill(search, '95 €')
      await admin.see({ css: '[role=option][aria-selected=true]' })
      await admin.keys('ArrowDown', 'ArrowUp', 'Enter')
      await admin.until(`location.hash.startsWith('#/pagine/')`)
      await admin.open('/admin#/casa')
      await admin.press(button('Guida'))
      await admin.see(inside(dialog('Guida'), text('Casa')))
      await admin.keys('Escape')
      await admin.gone(dialog())
      await admin.focused(button('Guida'))
    })
  }
})

const sizes: readonly (readonly [string, Size])[] = [
  ['desktop', desktop],
  ['phone', phone],
]

for (const [name, size] of sizes) {
  test(`an event with a picture is made, published and seen (${name})`, async ({ admin }) => {
    await admin.resize(size)
    const title = `Serata sul lago, ${name}`
    await admin.open('/admin#/contenuti/events')
    await admin.press(button('Aggiungi Evento'))
    const form = dialog('Nuovo Evento')
    await admin.upload({ css: 'dialog input[type=file]' }, pictures[0] as string)
    await admin.fill(inside(form, field('Titolo')), title)
    await admin.fill(inside(form, field('Data')), '12 Giugno 2027')
    await admin.fill(inside(form, field('Orario')), '20:30')
    await admin.press(inside(form, button('Carica Evento')))
    await admin.see(text('1 eventi caricati con successo!'), slowMs)
    await admin.gone(dialog())
    await admin.press(button(`Modifica: ${title}`))
    await admin.press(inside(dialog(), button('Pubblica Evento')))
    await admin.see(text('Evento pubblicato con successo!'), slowMs)
    await admin.open('/eventi')
    await admin.press(link(title))
    await admin.see({ role: 'heading', name: title })
    await admin.until(
      `[...document.querySelectorAll('main img[src*="/objects/uploads/"]')].some((one) => one.naturalWidth > 100)`,
    )
  })
}

test('several pictures are uploaded at once', async ({ admin }) => {
  await admin.open('/admin#/contenuti/photo-gallery')
  await admin.press(button('Aggiungi Foto'))
  await admin.upload({ css: 'dialog input[type=file]' }, ...pictures)
  await admin.press(inside(dialog('Nuove Foto'), button('Carica Foto')))
  await admin.see(text('3 foto caricate con successo!'), slowMs)
  await admin.gone(dialog())
})

test('an event gives a post, a story and a sheet to share', async ({ admin }) => {
  await admin.ask<Item>('POST', '/api/admin/events', {
    title: 'Cerchio da raccontare',
    date: '6 marzo 2199',
    location: 'Como',
    published: true,
    sortOrder: 0,
  })
  await admin.open('/privacy')
  await admin.open('/admin#/contenuti/events')
  await admin.press(button('Condividi: Cerchio da raccontare'))
  await admin.see(dialog('Condividi l’evento'))
  await admin.until(
    `[...document.querySelectorAll('dialog img')].map((one) => one.complete && one.naturalHeight).join() === '1350,1920,3508'`,
    slowMs,
  )
})

async function makeTestimonial(admin: User, name: string): Promise<Item> {
  const testimonial = `Parole di ${name}.`
  return admin.ask<Item>('POST', '/api/admin/course-testimonials', {
    name,
    testimonial,
    published: true,
    sortOrder: 1000,
  })
}

test.describe('two tabs', () => {
  // The second save is refused, and the panel asks.
  test.use({ expectedFaults: [/PUT .* (409|412)/] })

  test('what both changed is asked about, and nothing is overwritten', async ({ admin }) => {
    const { id } = await makeTestimonial(admin, 'Furio D.')
    const list = '/admin#/contenuti/course-testimonials'
    const words = exactly(inside(dialog('Modifica Testimonianza'), field('Testimonianza')))
    await admin.open('/privacy')
    await admin.open(list)
    await admin.press(button('Modifica: Furio D.'))
    await admin.openTab(list)
    await admin.press(button('Modifica: Furio D.'))
    await admin.fill(words, 'Testo di là.')
    await admin.press(button('Salva Modifiche'))
    await admin.see(text('Testimonianza aggiornata!'))
    await admin.closeTab()
    await admin.fill(words, 'Testo di qua.')
    await admin.press(button('Salva Modifiche'))
    const conflict = dialog('Questo testo è cambiato anche altrove')
    await admin.see(conflict)
    await admin.press(inside(conflict, { role: 'radio', name: 'Tieni il mio' }))
    await admin.press(inside(conflict, button('Pubblica le scelte')))
    await admin.see(text('Testimonianza aggiornata!'))
    const item = await admin.ask<Item>('GET', `/api/admin/course-testimonials/${id}`)
    expect(item.testimonial).toBe('Testo di qua.')
  })
})

test('a question is as tall as its words, and Escape gives the focus back', async ({ admin }) => {
  await makeTestimonial(admin, 'Gilda E.')
  await admin.open('/privacy')
  await admin.open('/admin#/contenuti/course-testimonials')
  const bin = button('Elimina: Gilda E.')
  await admin.press(bin)
  await admin.see(dialog())
  // Regression: WebKit made modal dialogs with `display: grid` as tall as the window.
  const height = await admin.evaluate(
    () => document.querySelector('dialog[open]')?.getBoundingClientRect().height ?? 0,
  )
  expect(height).toBeLessThan(400)
  await admin.keys('Escape')
  await admin.gone(dialog())
  await admin.focused(bin)
})

// Regression: `relatedTarget` is null for a press on the bare page, in Safari on a Mac for one on a button too.
test('the account menu closes by a press on the page', async ({ admin }) => {
  await admin.resize(desktop)
  await admin.press({ css: 'header details > summary' })
  await admin.until(`document.querySelector('header details').open`)
  await admin.pressAt(8, 700)
  await admin.until(`!document.querySelector('header details').open`)
})
