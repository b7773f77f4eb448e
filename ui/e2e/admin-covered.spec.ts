// Opens every area, dialog, sheet and menu of the panel, and checks at three widths that each of their controls can be
// pressed: nothing lies over its middle or its corners.

import type { Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, test as base, expect, type Item, makeTestimonial } from './admin-kit'
import { originOf, rows, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage } from './pages-kit'

const SIZES = [
  { width: 1366, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const

/** Names the controls in `root` under whose middle or corners something else is once they are scrolled into view. */
function coveredControls(root: Locator): Promise<readonly string[]> {
  return root.evaluate(async (layer) => {
    const frames = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)))
    await frames()
    await Promise.allSettled(layer.getAnimations({ subtree: true }).map((one) => one.finished))
    await frames()
    const selector = 'button, a[href], input, select, textarea, summary, [contenteditable=true]'
    const covered: string[] = []
    let count = 0
    for (const control of layer.querySelectorAll<HTMLElement>(selector)) {
      // A field of files and a switch are as small as a pixel: their label is pressed.
      const target = control.matches('input') ? (control.closest('label') ?? control) : control
      const isSeen = target.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      const { width, height } = target.getBoundingClientRect()
      if (!isSeen || width < 4 || height < 4 || target.closest('[inert]')) continue
      count += 1
      target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
      // A link over two lines has two boxes.
      const box = target.getClientRects()[0] ?? target.getBoundingClientRect()
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
      const at = (across: number, down: number) =>
        document.elementFromPoint(left + across * (right - left), top + down * (bottom - top))
      const middle = at(0.5, 0.5)
      const corners = [0.1, 0.9].flatMap((across) => [at(across, 0.1), at(across, 0.9)])
      const isOwn = (hit: Element | null) =>
        hit !== null && (target.contains(hit) || hit.closest('label')?.contains(target) === true)
      // A corner is round; a date has its button at the end of its field.
      const isBeside = (hit: Element | null) =>
        hit !== null && (hit.contains(target) || target.parentElement?.contains(hit) === true)
      const over = isOwn(middle) ? corners.find((hit) => !isOwn(hit) && !isBeside(hit)) : middle
      const name = control.ariaLabel ?? (control.textContent?.slice(0, 40) || control.id)
      if (over !== undefined) covered.push(`${name} under ${over?.outerHTML.slice(0, 90)}`)
    }
    return count === 0 ? ['no control is there'] : covered
  })
}

type Opener = {
  readonly name: string
  /** Opens the screen; returns its root, or nothing for the topmost dialog. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most openers return nothing
  readonly open: (panel: Page) => Promise<Locator | void>
}

const topmost = (panel: Page) => panel.locator('dialog:modal').last()

async function press(within: Page | Locator, name: string | RegExp, exact = false) {
  await within.getByRole('button', { name, exact }).filter({ visible: true }).first().click()
}

/** Presses a button and waits for the dialog that it opens, whose module may load first. */
async function pressForDialog(within: Page | Locator, name: string | RegExp, exact = false) {
  const dialogs = ('page' in within ? within.page() : within).locator('dialog:modal')
  const count = await dialogs.count()
  await press(within, name, exact)
  await expect(dialogs).toHaveCount(count + 1)
}

/** Goes to an area without loading the panel anew. */
async function go(panel: Page, hash: string) {
  await panel.evaluate((to) => {
    location.hash = `#/${to}`
  }, hash)
  const heading = panel.getByRole('heading', { level: 1 }).first()
  await expect(heading).toBeVisible()
  await expect(panel.getByText(italian.caricamento)).toHaveCount(0)
}

/** Closes what is open: each Escape closes one layer. */
async function closeAll(panel: Page) {
  await panel.setViewportSize(SIZES[0])
  await expect(async () => {
    if (await topmost(panel).isVisible()) await panel.keyboard.press('Escape')
    await expect(panel.locator('dialog:modal')).toHaveCount(0, { timeout: 200 })
  }).toPass()
  await panel.evaluate(() => {
    for (const menu of document.querySelectorAll('details[open]')) menu.removeAttribute('open')
  })
  // A closed dialog takes its entry off the history later, and would leave an address opened in the meantime.
  await panel.waitForFunction(
    () => document.querySelector('aside') !== null || history.state?.layer === undefined,
  )
}

/** A toast may lie over a row for its five seconds; `admin-pages-cover.spec.ts` tests where. */
async function dismissToasts(panel: Page) {
  const close = toast(panel).getByRole('button', { name: italian.chiudiLaNotifica })
  await expect(async () => {
    if (await close.isVisible()) await close.press('Enter')
    await expect(close).toHaveCount(0, { timeout: 200 })
  }).toPass()
}

async function checkAll(panel: Page, openers: readonly Opener[]) {
  const found: Record<string, readonly string[]> = {}
  for (const { name, open } of openers) {
    await test.step(name, async () => {
      await panel.setViewportSize(SIZES[0])
      const root = (await open(panel)) ?? topmost(panel)
      await expect(root).toBeVisible({ timeout: drawnMs })
      for (const size of SIZES) {
        await dismissToasts(panel)
        await panel.setViewportSize(size)
        const covered = await coveredControls(root)
        if (covered.length > 0) found[`${name}, ${size.width}`] = covered
      }
      await closeAll(panel)
    })
  }
  expect(found).toEqual({})
}

const test = base.extend({ actionTimeout: 15_000, viewport: SIZES[0] })

const KINDS = [
  ['course-testimonials', 'Aggiungi Testimonianza'],
  ['photo-gallery', 'Aggiungi Foto'],
  ['special-thanks', 'Aggiungi Ringraziamento'],
  ['media-features', 'Aggiungi Media'],
  ['events', 'Aggiungi Evento'],
  ['blog', italian.nuovoArticolo],
] as const

async function openList(panel: Page, kind: (typeof KINDS)[number][0]) {
  await go(panel, kind === 'blog' ? 'blog' : `contenuti/${kind}`)
  await expect(rows(panel).first()).toBeVisible()
}

async function openFirst(panel: Page, kind: (typeof KINDS)[number][0]) {
  await openList(panel, kind)
  await pressForDialog(rows(panel).first(), /^Modifica: /)
  await expect(topmost(panel).getByRole('heading', { level: 2 }).first()).toBeVisible()
}

const FORMS: readonly Opener[] = KINDS.flatMap(([kind, add]) => [
  {
    name: `list of ${kind}`,
    open: async (panel) => {
      await openList(panel, kind)
      return panel.locator('body')
    },
  },
  {
    name: `new ${kind}`,
    open: async (panel) => {
      await openList(panel, kind)
      await pressForDialog(panel, add)
      const file = topmost(panel).locator('input[type=file][multiple]')
      if ((await file.count()) === 0) return
      await file.setInputFiles(pictures.slice(0, 2))
      await expect(
        topmost(panel)
          .getByText(/gallery-2/)
          .first(),
      ).toBeVisible()
    },
  },
  { name: `form of ${kind}`, open: (panel) => openFirst(panel, kind) },
])

const QUESTIONS: readonly Opener[] = [
  {
    name: 'deletion',
    open: async (panel) => {
      await openList(panel, 'events')
      await pressForDialog(panel, /^Elimina: /)
    },
  },
  {
    name: 'position in the list',
    open: async (panel) => {
      await openList(panel, 'events')
      await pressForDialog(panel, /^Trascina per riordinare: /)
    },
  },
  {
    name: 'repeated event',
    open: async (panel) => {
      await openList(panel, 'events')
      await pressForDialog(panel, /^Ripeti: /)
    },
  },
  {
    name: 'shared event',
    open: async (panel) => {
      await openList(panel, 'events')
      await pressForDialog(panel, /^Condividi: /)
      await expect(
        topmost(panel).getByRole('tab').or(topmost(panel).locator('img')).first(),
      ).toBeVisible()
    },
  },
  {
    name: 'calendar of an event',
    open: async (panel) => {
      await openFirst(panel, 'events')
      await press(topmost(panel), 'Apri il calendario')
    },
  },
  {
    name: 'times of an event',
    open: async (panel) => {
      await openFirst(panel, 'events')
      await press(topmost(panel), 'Scegli l’ora')
    },
  },
  {
    name: 'schedule of an event',
    open: async (panel) => {
      await openFirst(panel, 'events')
      await pressForDialog(topmost(panel), /^(Programma|Cambia il programma)$/)
    },
  },
  {
    name: 'preview of an event',
    open: async (panel) => {
      await openFirst(panel, 'events')
      await press(topmost(panel), italian.anteprima)
    },
  },
  {
    name: 'draft that is shared',
    open: async (panel) => {
      await openList(panel, 'events')
      await pressForDialog(panel, italian.modificaEsempioIlRespiroPrimaDella)
      await pressForDialog(topmost(panel), italian.condividiBozza)
    },
  },
  {
    name: 'request for a testimonial',
    open: async (panel) => {
      await openList(panel, 'course-testimonials')
      await pressForDialog(panel, 'Chiedi una testimonianza')
    },
  },
]

test('every control of lists and forms can be pressed', async ({ panel }) => {
  test.slow()
  await checkAll(panel, FORMS)
})

test('every control of questions over lists and forms can be pressed', async ({ panel }) => {
  test.slow()
  await checkAll(panel, QUESTIONS)
})

const AREAS = [
  'casa',
  'visite',
  'newsletter',
  'impostazioni',
  'backup',
  'account',
  'avvisi',
  'cestino',
  'cronologia',
  'pagine',
]

const OTHERS: readonly Opener[] = [
  ...AREAS.map((area) => ({
    name: area,
    open: async (panel: Page) => {
      await go(panel, area)
      return panel.locator('body')
    },
  })),
  {
    name: 'menu of the account',
    open: async (panel) => {
      await go(panel, 'visite')
      await panel.locator('summary[aria-label^="Menu:"]').click()
      return panel.locator('details[open]:has(> summary[aria-label^="Menu:"])')
    },
  },
  {
    name: 'guide',
    open: async (panel) => {
      await go(panel, 'visite')
      await panel.keyboard.press('F1')
    },
  },
  {
    name: 'beginning of a newsletter',
    open: async (panel) => {
      await go(panel, 'newsletter')
      await pressForDialog(panel, 'Scrivi una newsletter')
    },
  },
  {
    name: 'newsletter',
    open: async (panel) => {
      await go(panel, 'newsletter')
      await pressForDialog(panel, 'Apri: Un saluto')
      await expect(topmost(panel).locator('iframe')).toBeVisible()
    },
  },
  {
    name: 'form of a newsletter',
    open: async (panel) => {
      await go(panel, 'newsletter')
      await pressForDialog(panel, 'Apri: Un saluto')
      await press(topmost(panel), 'Modifica', true)
    },
  },
  {
    name: 'deletion of a newsletter',
    open: async (panel) => {
      await go(panel, 'newsletter')
      await pressForDialog(panel, 'Elimina: Un saluto')
    },
  },
  {
    name: 'emptied trash',
    open: async (panel) => {
      await go(panel, 'cestino')
      await pressForDialog(panel, italian.svuotaAdesso)
    },
  },
  {
    name: 'second factor',
    open: async (panel) => {
      await go(panel, 'account')
      await pressForDialog(panel, italian.attiva, true)
    },
  },
  {
    name: 'invitation of a person',
    open: async (panel) => {
      await go(panel, 'account')
      await pressForDialog(panel, 'Invita una persona')
    },
  },
]

test('every control of the other areas and their dialogs can be pressed', async ({ panel }) => {
  test.slow()
  const letter = await ask<Item>(panel, 'POST', '/api/admin/newsletters', {
    title: 'Un saluto',
    content: 'Ciao,\n\nil corso comincia a marzo.',
  })
  const { id } = await makeTestimonial(panel, 'Zita')
  await ask(panel, 'DELETE', `/api/admin/course-testimonials/${id}`)
  await checkAll(panel, OTHERS)
  await ask(panel, 'DELETE', `/api/admin/newsletters/${letter.id}`)
  await ask(panel, 'DELETE', `/api/admin/trash/${id}`)
})

const side = (panel: Page) => panel.locator('aside')

async function typeTitle(panel: Page) {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Un altro titolo')
  return frame
}

const PAGES: readonly Opener[] = [
  {
    name: 'editor of a page',
    open: async (panel) => {
      await openPage(panel, 'home')
      return panel.locator('body')
    },
  },
  {
    name: 'menu of pages',
    open: async (panel) => {
      await panel.locator('summary[aria-label^="Cambia pagina"]').click()
      return panel.locator('details[open]:has(> summary[aria-label^="Cambia"])')
    },
  },
  {
    name: 'section with its entries',
    open: async (panel) => {
      await openPage(panel, 'servizi')
      await side(panel).getByRole('button').filter({ hasText: 'Servizi' }).first().click()
      for (const entry of await side(panel).locator('details:not([open]) > summary').all())
        await entry.click({ timeout: 1_000 }).catch(() => undefined)
      return side(panel)
    },
  },
  { name: 'versions', open: (panel) => pressForDialog(panel, 'Versioni') },
  {
    name: 'picture on its way',
    open: async (panel) => {
      const place = encodeURIComponent('contatti.hero:picture')
      await panel.goto(`${originOf(panel)}/admin#/pagine/contatti/${place}`)
      await panel.route(/\/objects\/uploads\//, () => new Promise(() => undefined))
      await side(panel).locator('input[type=file]').setInputFiles(pictures.slice(0, 1))
      await expect(side(panel).getByRole('progressbar')).toBeVisible()
      return panel.locator('body')
    },
  },
  {
    name: 'list of changes',
    open: async (panel) => {
      await panel.unrouteAll()
      await panel.reload()
      await typeTitle(panel)
      await pressForDialog(panel, /guardal[ae]$/)
    },
  },
  {
    name: 'changes that are thrown away',
    open: (panel) => pressForDialog(panel, italian.scarta, true),
  },
]

test('every control of the page editor and its dialogs can be pressed', async ({ panel }) => {
  test.slow()
  await checkAll(panel, PAGES)
})
