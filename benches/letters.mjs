// Letters typed on a processor four times slower, and how long each takes to what is seen.

const SLOWER = 4

export function percentile(times, part) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/**
 * Milliseconds from each key to the laid out page, and of script a letter. `frame` is where the caret
 * is. A letter follows when the one before has been drawn and the page has come to rest, as between the
 * keys of a person: two keys in one frame would count the wait for the other's.
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
  await devtools.send('Performance.enable')
  const script = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const before = await script()
  for (let letter = 0; letter < letters; letter += 1) {
    await page.keyboard.press(letter % 6 === 5 ? 'Space' : 'a')
    await frame.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))))
  }
  const rests = await script()
  return { times: await frame.evaluate(() => window.times), scripts: (rests - before) / letters, rests, script }
}
