// The site with its animations, in every engine. A file of its own: reduced motion is set when the browser starts.

import { button, css, desktop, dialog, expect, heading, inside, link, phone, test } from './test'
import type { User } from './user'

test.use({ isMotionReduced: false })

/** Waits until every animation without end is in this state. */
const allAre = (user: User, state: 'running' | 'paused') =>
  user.until(`(() => {
    const endless = document.getAnimations()
      .filter((one) => one.effect.getComputedTiming().endTime === Infinity)
    return endless.length > 2 && endless.every((one) => one.playState === '${state}')
  })()`)

test('what moves without end stops and resumes at one button, and stays stopped on the next page', async ({
  user,
}) => {
  await user.resize(desktop)
  await user.open('/')
  expect(await user.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(
    false,
  )
  await user.press(button('Solo Necessari'))
  await allAre(user, 'running')
  await user.press(button('Ferma le animazioni'))
  await allAre(user, 'paused')
  await user.press(inside(css('header'), link('Rebirthing')))
  await user.until(`location.pathname === '/rebirthing'`)
  await user.see(button('Riprendi le animazioni'))
  await allAre(user, 'paused')
  await user.press(button('Riprendi le animazioni'))
  await allAre(user, 'running')
})

test('the drawer slides in and out, and leads to a page (phone)', async ({ user }) => {
  await user.resize(phone)
  await user.open('/contatti')
  await user.press(button('Solo Necessari'))
  const menu = button('Apri il menu')
  await user.press(menu)
  await user.see(dialog('Menu'))
  await user.press(button('Chiudi il menu'))
  await user.gone(dialog())
  await user.focused(menu)
  await user.press(menu)
  await user.press(inside(dialog(), link('Chi Sono')))
  await user.until(`location.pathname === '/chi-sono'`)
  await user.see(heading('Chi'))
})
