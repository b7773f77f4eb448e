// The article editor in every engine.

import type { Size } from './driver'
import { button, css, desktop, dialog, expect, link, nth, phone, test } from './test'
import { slowMs, type User } from './user'

type Article = { id: string; title: string; content: string }

/** Text area of the article. */
const writing = css('dialog [contenteditable=true]')
const title = { css: 'dialog textarea#title' }

async function openNew(user: User) {
  await user.open('/admin#/blog')
  await user.press(button('Nuovo Articolo'))
  await user.see(dialog('Nuovo Articolo'))
  await user.see(writing, slowMs)
}

async function stored(user: User, wanted: string): Promise<Article | undefined> {
  const articles = await user.ask<Article[]>('GET', '/api/admin/blog')
  const found = articles.find((one) => one.title === wanted)
  return found && (await user.ask<Article>('GET', `/api/admin/blog/${found.id}`))
}

const sizes: readonly (readonly [string, Size])[] = [
  ['desktop', desktop],
  ['phone', phone],
]

for (const [name, size] of sizes) {
  test(`an article is written with bold, a list and a link, undone and saved (${name})`, async ({
    admin,
  }) => {
    await admin.resize(size)
    await openNew(admin)
    const called = `Respirare piano, ${name}`
    await admin.fill(title, called)
    await admin.keys('Enter')
    await admin.focused(writing)
    await admin.type('Una riga ')
    await admin.keys('Control+b')
    await admin.type('forte')
    await admin.keys('Control+b')
    await admin.type(' e piana')
    await admin.keys('Enter')
    await admin.type('- primo')
    await admin.keys('Enter')
    await admin.type('secondo')
    await admin.keys('Enter', 'Enter')
    await admin.type('Vai al sito')
    await admin.keys('Shift+Home', 'Control+k')
    const address = { css: 'fieldset[aria-label] input[list]' }
    await admin.see(address)
    await admin.type('www.esempio.it/pagina')
    await admin.evaluate(pressedButtonsTakeNoFocus)
    // The box grows by this link, and moves.
    await admin.see(link('Prova il link'))
    await admin.pause()
    await admin.press(button('Applica'))
    await admin.gone(address)
    await admin.see(css('dialog [contenteditable] a[href="https://www.esempio.it/pagina"]'))
    // The tools of the selection cover the list.
    await admin.keys('ArrowRight')
    await admin.press(css('dialog [contenteditable] li:last-child'))
    await admin.pause()
    await admin.keys('End')
    await admin.type(' sbaglio')
    await admin.keys('Control+z')
    await admin.reads(css('dialog [contenteditable] li:last-child'), /^secondo$/)
    await admin.press(button('Salva Articolo'))
    await admin.gone(dialog(), slowMs)
    expect((await stored(admin, called))?.content).toBe(
      'Una riga **forte** e piana\n\n- primo\n- secondo\n\n[Vai al sito](https://www.esempio.it/pagina)',
    )
  })
}

/** As in Safari on a Mac: a pressed button takes the focus away and gets none. */
function pressedButtonsTakeNoFocus() {
  addEventListener('mousedown', (event) => {
    if (event.defaultPrevented || !(event.target as Element).closest('button')) return
    event.preventDefault()
    ;(document.activeElement as HTMLElement | null)?.blur()
  })
}

// Regression: where `field-sizing` is unknown, a long title showed its last line only.
test('a long title is seen whole, and shrinks again', async ({ admin }) => {
  await admin.resize(phone)
  await openNew(admin)
  const isWhole = `(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight < 4)(document.querySelector('dialog textarea#title'))`
  const height = () =>
    admin.evaluate(() => document.querySelector('dialog textarea#title')?.clientHeight ?? 0)
  await admin.fill(title, 'Breve')
  const low = await height()
  await admin.type(
    ' ma poi sempre più lungo, come i titoli che raccontano tutto della serata sul lago e di chi viene',
  )
  await admin.until(isWhole)
  expect(await height()).toBeGreaterThan(low * 2)
  await admin.keys('Control+a')
  await admin.type('Breve')
  await admin.until(`document.querySelector('dialog textarea#title').clientHeight === ${low}`)
})

test('formatted text is pasted clean, and one undo takes it back', async ({ admin }) => {
  await admin.resize(desktop)
  await openNew(admin)
  await admin.press(writing)
  await admin.type('Prima. ')
  await admin.pause()
  await admin.paste({
    html: '<p style="color:red">Uno <b>due</b></p><ul><li>tre</li></ul><script>alert(1)</script>',
    plain: 'Uno due\ntre',
  })
  await admin.see(css('dialog [contenteditable] li'))
  await admin.reads(css('dialog [contenteditable] strong'), 'due')
  await admin.keys('Control+z')
  await admin.reads(writing, 'Prima.')
})

test('a dragged selection over two paragraphs is replaced by what is typed', async ({ admin }) => {
  await admin.resize(desktop)
  await openNew(admin)
  await admin.press(writing)
  await admin.type('Primo capoverso')
  await admin.keys('Enter')
  await admin.type('Secondo capoverso')
  await admin.keys('Shift+Home', 'Shift+ArrowLeft')
  await admin.pause()
  await admin.keys('Backspace')
  await admin.reads(writing, 'Primo capoverso')
  await admin.keys('Control+z')
  await admin.reads(nth(css('dialog [contenteditable] > p'), 1), 'Secondo capoverso')
  await admin.keys('Control+a')
  await admin.type('è nuovo')
  await admin.reads(writing, 'è nuovo')
})
