// Typing on the page in every engine.

import { resolve } from 'node:path'
import {
  button,
  css,
  desktop,
  dialog,
  exactly,
  expect,
  inFrame,
  inside,
  link,
  nth,
  phone,
  test,
} from './test'
import { slowMs, type User } from './user'

const picture = resolve(import.meta.dirname, '../../src/importers/demo/pictures/gallery-1.jpg')

async function openPage(user: User, name: string) {
  await user.open(`/admin#/pagine/${name}`)
  await user.see(inFrame(css('[data-words]')), slowMs)
}

const place = (path: string) => inFrame(css(`[data-words="${path}"]`))
const published = /aggiorna(ta|te) in \d+ ms/

async function publish(user: User) {
  await user.press(exactly(button('Pubblica')))
  await user.reads(css('section[aria-label^="Notifiche"]'), published, slowMs)
}

async function publicText(user: User, path: string): Promise<string> {
  return user.evaluate(async (where) => (await fetch(where)).text(), path)
}

const reset = (user: User, id: string) =>
  user.ask('PUT', `/api/admin/words/${id}`, { value: null, hidden: false })

test('a title is typed on the page, undone, redone and published; its versions open', async ({
  admin,
}) => {
  await admin.resize(desktop)
  await openPage(admin, 'servizi')
  const heading = place('servizi.hero:title')
  await admin.press(heading)
  await admin.pause()
  await admin.keys('End')
  await admin.type(' miei')
  await admin.reads(heading, 'I Nostri Servizi miei')
  await admin.keys('Control+z')
  await admin.reads(heading, 'I Nostri Servizi')
  await admin.keys('Control+Shift+z')
  await admin.reads(heading, 'I Nostri Servizi miei')
  await admin.keys('Control+a')
  await admin.paste({
    plain: 'Le mie\nproposte',
    html: '<h1 style="color:red">Le mie<br>proposte</h1>',
  })
  await admin.reads(heading, 'Le mie proposte')
  await publish(admin)
  expect(await publicText(admin, '/servizi')).toContain('Le mie proposte</h1>')
  await admin.type('!')
  await admin.keys('Escape')
  await admin.reads(heading, 'Le mie proposte')
  await admin.press(button('Versioni'))
  await admin.see(dialog('Versioni'))
  await admin.keys('Escape')
  await admin.gone(dialog())
  await reset(admin, 'servizi.hero')
})

test('paragraphs split by Enter, join over their ends and are replaced as one', async ({
  admin,
}) => {
  await admin.resize(desktop)
  const { value } = await admin.ask<{ value: object }>('GET', '/api/admin/words/chi-sono.biography')
  const written = { text: ['Prima parte.\n\nSeconda parte.\n\nTerza parte.'] }
  await admin.ask('PUT', '/api/admin/words/chi-sono.biography', {
    value: { ...value, text: written },
  })
  await openPage(admin, 'chi-sono')
  const biography = place('chi-sono.biography:text')
  const paragraph = (index: number) => nth(inside(biography, inFrame(css('p'))), index)
  await admin.press(paragraph(1))
  await admin.pause()
  await admin.keys('End', 'Enter')
  await admin.type('Nuova.')
  await admin.reads(paragraph(2), 'Nuova.')
  await admin.keys('Home', 'Backspace')
  await admin.reads(paragraph(1), 'Seconda parte.Nuova.')
  await admin.keys('Control+z', 'Control+z')
  await admin.reads(paragraph(1), /^Seconda parte\.$/)
  await admin.keys('Control+a', 'Delete')
  await admin.reads(biography, '')
  await admin.pause()
  await admin.type('Tutto è nuovo.')
  await admin.reads(biography, 'Tutto è nuovo.')
  await admin.keys('Control+z', 'Control+z')
  await admin.reads(paragraph(0), /Prima parte/)
  await admin.evaluate(() => localStorage.clear())
  await reset(admin, 'chi-sono.biography')
})

test('a rich text on the page takes bold and a link by its button', async ({ admin }) => {
  await admin.resize(desktop)
  await openPage(admin, 'cookie')
  const section = place('legal.cookies:sections[0].text')
  await admin.press(section)
  await admin.pause()
  await admin.keys('Control+End')
  await admin.type(' parola')
  await admin.keys('Control+Shift+ArrowLeft', 'Control+b')
  await admin.reads(inside(section, inFrame(css('strong:last-of-type'))), /parola$/)
  await admin.press(button('Link ('))
  await admin.see(css('fieldset[aria-label] input[list]'))
  await admin.type('www.esempio.it/pagina')
  // As in Safari on a Mac: a pressed button takes the focus away and gets none.
  await admin.evaluate(() => {
    addEventListener('mousedown', (event) => {
      if (event.defaultPrevented || !(event.target as Element).closest('button')) return
      event.preventDefault()
      ;(document.activeElement as HTMLElement | null)?.blur()
    })
  })
  // The box grows by this link, and moves.
  await admin.see(link('Prova il link'))
  await admin.pause()
  await admin.press(button('Applica'))
  await admin.see(inFrame(css('a[href="https://www.esempio.it/pagina"]')))
  await publish(admin)
  expect(await publicText(admin, '/cookies')).toContain('https://www.esempio.it/pagina')
  await reset(admin, 'legal.cookies')
})

test('an entry is added on the page, moved and deleted by keys', async ({ admin }) => {
  await admin.resize(desktop)
  await openPage(admin, 'chi-sono')
  const list = 'chi-sono.timeline:items'
  const titles = inFrame(css(`[data-words^="${list}["][data-words$=".title"]`))
  const count = await admin.count(titles)
  await admin.press(place(`${list}[${count - 1}].text`))
  await admin.pause()
  // The row that adds an entry follows the last text.
  await admin.keys('Tab', 'Enter')
  await admin.focused(place(`${list}[${count}].year`))
  await admin.type('2027')
  await admin.keys('Tab')
  await admin.focused(place(`${list}[${count}].title`))
  await admin.type('Una voce di prova')
  await admin.reads(place(`${list}[${count}].title`), 'Una voce di prova')
  await admin.keys('Alt+Enter', ' ', 'ArrowUp', 'Enter')
  await admin.reads(place(`${list}[${count - 1}].title`), 'Una voce di prova')
  await admin.reads(place(`${list}[${count - 1}].year`), '2027')
  await admin.pause()
  // From the grip to the button that deletes.
  await admin.keys('Tab', 'Tab', 'Enter')
  await admin.gone(place(`${list}[${count}].title`))
  await admin.reads(place(`${list}[${count - 1}].title`), /^(?!Una voce di prova)/)
  await admin.evaluate(() => localStorage.clear())
})

test('a former version of a block is compared and comes back', async ({ admin }) => {
  await admin.resize(desktop)
  const hero = '/api/admin/words/servizi.hero'
  const { value } = await admin.ask<{ value: object }>('GET', hero)
  for (const title of ['Prima', 'Seconda'])
    await admin.ask('PUT', hero, { value: { ...value, title } })
  await openPage(admin, 'servizi')
  await admin.reads(place('servizi.hero:title'), 'Seconda')
  await admin.press(place('servizi.hero:title'))
  await admin.press(button('Versioni'))
  const versions = dialog('Versioni')
  await admin.reads(inside(versions, css('dd ins')), /Prima/)
  await admin.press(inside(versions, button('Torna a questa')))
  await admin.reads(css('section[aria-label^="Notifiche"]'), /Tornata la versione/, slowMs)
  expect(await publicText(admin, '/servizi')).toContain('Prima</h1>')
  await admin.keys('Escape')
  await admin.gone(versions)
  await admin.reads(place('servizi.hero:title'), 'Prima', slowMs)
  await reset(admin, 'servizi.hero')
})

// Regression: Firefox puts no caret into a `<button>`, and Space presses it.
test('the words of a button are typed on the page', async ({ admin }) => {
  await admin.resize(desktop)
  await openPage(admin, 'home')
  const words = place('benefits.physical:openLabel')
  await admin.press(words)
  await admin.pause()
  await admin.keys('Control+a')
  await admin.type('Che cosa porta')
  await admin.reads(words, 'Che cosa porta')
  await admin.evaluate(() => localStorage.clear())
})

test('a picture is chosen on the page', async ({ admin }) => {
  await admin.resize(desktop)
  await openPage(admin, 'chi-sono')
  await admin.press(inFrame(css('main img')))
  await admin.upload(css('input[type=file]'), picture)
  await admin.until(
    `[...document.querySelectorAll('img')].some((one) => one.src.includes('/objects/uploads/') || one.src.startsWith('blob:'))`,
    slowMs,
  )
  await admin.evaluate(() => localStorage.clear())
})

test('a text is written in its sheet, and a draft outlives a reload (phone)', async ({ admin }) => {
  await admin.resize(phone)
  await openPage(admin, 'servizi')
  await admin.press(place('servizi.hero:title'))
  const field = css(
    'input[id="w-servizi.hero-title"], textarea[id="w-servizi.hero-title"], [id="w-servizi.hero-title"][contenteditable]',
  )
  await admin.focused(field)
  await admin.keys('Control+a')
  await admin.type('Dal telefono')
  await admin.reads(place('servizi.hero:title'), 'Dal telefono')
  await admin.keys('Control+s')
  await admin.pause()
  await admin.open('/privacy')
  await openPage(admin, 'servizi')
  await admin.press(button('Riprendi'))
  await admin.reads(place('servizi.hero:title'), 'Dal telefono', slowMs)
  await admin.evaluate(() => localStorage.clear())
})
