// Types letters on a processor with 4x throttling, and measures the time from each key to the layout.

const SLOWER = 4
const GAP_MS = 100
/** Interval between two checks whether the page is idle: what loads beside the first letters is not typing. */
const REST_LOOK_MS = 500
const REST_WORK_MS = 20
const REST_LOOKS_MAX = 40

export function percentile(times, part) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/**
 * Measures the milliseconds from each key to the layout of the page, and the processor time of each letter: the work of
 * the page's thread until the next letter (script, style, layout, painting), by its thread clock, which stops while
 * other processes run. The program's own work is script, style and layout; the rest (input dispatch, painting,
 * compositing) is the browser's, and a bare field costs it too. `frame` holds the caret. `gapMs` defaults to the pause
 * of a fast typist; nothing of the measurement runs in the page meanwhile.
 */
export async function paintTimes(page, frame, letters, gapMs = GAP_MS) {
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
    const script = of('ScriptDuration')
    const style = of('RecalcStyleDuration')
    const layout = of('LayoutDuration')
    return { script, style, layout, own: script + style + layout, all: of('TaskDuration') }
  }
  await atRest(page, async () => (await spent()).all)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const before = await spent()
  const works = []
  const owns = []
  let last = before
  for (let letter = 0; letter < letters; letter += 1) {
    await page.keyboard.press(letter % 6 === 5 ? 'Space' : 'a')
    await page.waitForTimeout(gapMs)
    const now = await spent()
    works.push(now.all - last.all)
    owns.push(now.own - last.own)
    last = now
  }
  const times = await frame.evaluate(() => window.times)
  const mean = (part) => (last[part] - before[part]) / letters
  const means = { script: mean('script'), style: mean('style'), layout: mean('layout') }
  return { times, works, owns, means, rests: last.script, script: async () => (await spent()).script }
}

/** Waits until the page's thread is nearly idle. */
async function atRest(page, work) {
  let last = await work()
  for (let look = 0; look < REST_LOOKS_MAX; look += 1) {
    await page.waitForTimeout(REST_LOOK_MS)
    const now = await work()
    if (now - last < REST_WORK_MS) return
    last = now
  }
  throw new Error('the page does not come to rest')
}

/** Formats the measurement of one text as a line. */
export function report({ times, works, owns, means }) {
  const at = (all, part) => percentile(all, part).toFixed(1)
  const parts = Object.entries(means).map(([name, mean]) => `${name} ${mean.toFixed(1)}`)
  return (
    `own work p50 ${at(owns, 0.5)} ms, p95 ${at(owns, 0.95)} ms (means: ${parts.join(', ')}); ` +
    `the whole thread p50 ${at(works, 0.5)} ms, p95 ${at(works, 0.95)} ms; ` +
    `key to layout p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`
  )
}

/** Returns the ratio of the thread's whole work to that of a bare field. */
export function times(found, bare) {
  const ratio = (part) => (percentile(found.works, part) / percentile(bare.works, part)).toFixed(2)
  return `${ratio(0.5)} times a bare field at p50, ${ratio(0.95)} at p95`
}
