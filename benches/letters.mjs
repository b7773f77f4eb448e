// Letters typed on a processor four times slower, and how long each takes to what is seen.

const SLOWER = 4
const GAP_MS = 100

export function percentile(times, part) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/**
 * Milliseconds from each key to the laid out page, and what each letter costs the processor: all that the
 * page's own thread does until the next (script, layout, drawing), by its clock, which stands still while
 * others have the machine. `frame` is where the caret is. The pause between two letters is a fast
 * typist's; nothing of the measurement runs in the page meanwhile.
 */
export async function paintTimes(page, frame, letters) {
  await frame.evaluate(() => {
    window.times = []
    let begun = 0
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      document.body.getBoundingClientRect()
      window.times.push(performance.now() - begun)
    }
    window.addEventListener('keydown', () => { begun = performance.now() }, true)
    window.addEventListener('input', () => channel.port2.postMessage(0), true)
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const of = (wanted) => metrics.find(({ name }) => name === wanted).value * 1000
    return { script: of('ScriptDuration'), all: of('TaskDuration') }
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const before = await spent()
  const works = []
  let last = before
  for (let letter = 0; letter < letters; letter += 1) {
    await page.keyboard.press(letter % 6 === 5 ? 'Space' : 'a')
    await page.waitForTimeout(GAP_MS)
    const now = await spent()
    works.push(now.all - last.all)
    last = now
  }
  const times = await frame.evaluate(() => window.times)
  const scripts = (last.script - before.script) / letters
  return { times, works, scripts, rests: last.script, script: async () => (await spent()).script }
}

/** What was measured of one text, as a line. */
export function report({ times, works, scripts }) {
  const at = (all, part) => percentile(all, part).toFixed(1)
  return (
    `processor p50 ${at(works, 0.5)} ms, p95 ${at(works, 0.95)} ms, of which script ${scripts.toFixed(1)} ms; ` +
    `key to layout p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`
  )
}
