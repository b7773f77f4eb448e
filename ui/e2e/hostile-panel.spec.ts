// Tests that hostile stored content, from a paste or a restored file, stays text in the panel.
// Regression: the article editor rendered a link to `javascript:` as a link.

import { ask, expect, forget, type Item, test } from './admin-kit'
import { originOf, rows } from './admin-screen'

const hostile =
  '=1+1 "\'`><script>document.title="preso"</script><img src=x onerror="document.title=\'preso\'">' +
  '</title></textarea>[via](javascript:document.title=1)<!--]]>{{7*7}}‮rovescio​'

/** The stored form: invisible characters are removed, among them U+202E, which reverses the text direction. */
const kept = hostile.replace(/[\u200b\u202e]/g, '')

const texts = {
  events: { title: hostile, description: hostile, location: hostile },
  blog: {
    title: hostile,
    slug: 'parole-ostili',
    category: 'Tecniche',
    excerpt: hostile,
    content: hostile,
  },
  'course-testimonials': { name: hostile, profession: hostile, testimonial: hostile },
} as const

for (const [kind, values] of Object.entries(texts)) {
  test(`hostile words stay words in the panel: ${kind}`, async ({ panel }) => {
    const faults: string[] = []
    panel.on('dialog', (dialog) => {
      faults.push(dialog.message())
      void dialog.dismiss()
    })
    panel.on('pageerror', (error) => faults.push(error.message))
    const published = kind === 'course-testimonials'
    const made = await ask<Item>(panel, 'POST', `/api/admin/${kind}`, { ...values, published })
    const clean = async () => {
      expect(await panel.locator('script:not([src])', { hasText: 'preso' }).count()).toBe(0)
      expect(await panel.locator('img[src="x"]').count()).toBe(0)
      expect(await panel.locator('a[href^="javascript:"]').count()).toBe(0)
      expect(await panel.title()).not.toContain('preso')
      expect(faults).toEqual([])
    }
    const hash = kind === 'blog' ? '#/blog' : `#/contenuti/${kind}`
    await panel.goto(`${originOf(panel)}/admin${hash}`)
    await panel.reload()
    const row = rows(panel).filter({ hasText: '{{7*7}}' })
    await expect(row).toHaveCount(1)
    await clean()
    await row.getByRole('button', { name: /^Modifica: / }).click()
    await expect(panel.getByRole('dialog').getByRole('textbox').first()).toHaveValue(kept)
    await clean()
    await panel.keyboard.press('Escape')
    await expect(panel.getByRole('dialog')).toHaveCount(0)
    await row.getByRole('button', { name: /^Elimina: / }).click()
    await expect(panel.getByRole('alertdialog')).toContainText('{{7*7}}')
    await clean()
    await panel.keyboard.press('Escape')
    await panel.getByRole('searchbox').fill('<script>')
    await expect(row).toHaveCount(1)
    await clean()
    await ask(panel, 'DELETE', `/api/admin/${kind}/${made.id}`)
    await panel.goto(`${originOf(panel)}/admin#/cestino`)
    await expect(panel.getByText('rovescio').first()).toBeVisible()
    await clean()
    await ask(panel, 'POST', `/api/admin/trash/${made.id}/restore`)
    await forget(panel, kind as keyof typeof texts, made.id)
  })
}
