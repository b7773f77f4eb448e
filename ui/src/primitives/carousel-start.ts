// Turns a strip into a slider: apart from the page's own start, and only where somebody gets near.

import type { KeenSliderInstance, KeenSliderOptions } from 'keen-slider'

/** Told whenever the slider has come, moved or gone. */
type Tell = (slider: KeenSliderInstance | null) => void

/** How far below the screen a strip may be when its slider is made. */
const nearMargin = '0px 0px 50% 0px'
/** Between two looks at whether a strip that is being moved has come to rest. */
const restMilliseconds = 250
/** Of the width of a slide: a finger that went so far turns it. */
const swipeMin = 0.3
/** Where more than one slide is seen at a time, as in the style sheet. */
const wideQuery = '(width >= 48rem)'

/** Returns what undoes it. */
export function sliderWhenNear(strip: HTMLElement, wideViews: number, tell: Tell): () => void {
  let isGone = false
  let end = () => {}
  const start = async () => {
    // Its own file: a page that nobody scrolls down does not wait for it.
    const { default: KeenSlider } = await import('keen-slider')
    await rest(strip)
    if (!isGone) end = takeOver(strip, wideViews, KeenSlider, tell)
  }
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      // Without the file the strip goes on scrolling by itself.
      start().catch(() => {})
    },
    { rootMargin: nearMargin },
  )
  watcher.observe(strip)
  return () => {
    isGone = true
    watcher.disconnect()
    end()
  }
}

/** A moment of leisure in which no finger moves the strip: it would let go of it. */
async function rest(strip: HTMLElement): Promise<void> {
  let isHeld = false
  const hold = ({ type }: Event) => {
    isHeld = type === 'touchstart'
  }
  const touches = ['touchstart', 'touchend', 'touchcancel']
  for (const type of touches) strip.addEventListener(type, hold, { passive: true })
  for (let place = Number.NaN; isHeld || place !== strip.scrollLeft; ) {
    place = strip.scrollLeft
    await leisure()
  }
  for (const type of touches) strip.removeEventListener(type, hold)
}

function leisure(): Promise<void> {
  return new Promise((done) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) {
      setTimeout(() => requestIdleCallback(() => done(), { timeout: 2000 }), restMilliseconds)
    } else {
      setTimeout(done, restMilliseconds)
    }
  })
}

function takeOver(
  strip: HTMLElement,
  wideViews: number,
  KeenSlider: typeof import('keen-slider').default,
  tell: Tell,
): () => void {
  const wideScreen = matchMedia(wideQuery)
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const slides = [...strip.children] as HTMLElement[]
  const initial = Math.round((strip.scrollLeft / strip.scrollWidth) * slides.length)
  const options: KeenSliderOptions = {
    selector: slides,
    defaultAnimation: { duration: isStill ? 0 : 700 },
    slides: { perView: 1 },
    breakpoints: {
      '(min-width: 48rem)': { slides: { perView: 2 } },
      '(min-width: 64rem)': { slides: { perView: wideViews } },
    },
    created: tell,
    updated: tell,
    slideChanged: (moved) => {
      if (!wideScreen.matches) fitHeight(strip, moved)
      tell(moved)
    },
  }
  const slider = new KeenSlider(strip, { ...options, initial })
  // What stands below the strip must not jump before somebody's eyes.
  if (!wideScreen.matches && strip.getBoundingClientRect().bottom > innerHeight)
    fitHeight(strip, slider)
  // Slides that come later join at the end, and the place stays.
  const grower = new MutationObserver(() => {
    const all = { ...options, selector: [...strip.children] as HTMLElement[] }
    slider.update(all, slider.track.details?.rel)
  })
  grower.observe(strip, { childList: true })
  strip.dataset.live = ''
  strip.scrollLeft = 0
  const forgetSwipes = turnBySwipes(strip, slider)
  const follow = (event: FocusEvent) => bringIntoView(strip, slider, event.target)
  strip.addEventListener('focusin', follow)
  // The slider measures when the window changes, which can be before the page has its new layout.
  let width = strip.clientWidth
  const measurer = new ResizeObserver(() => {
    if (wideScreen.matches) strip.style.blockSize = ''
    slider.update()
    // In narrower slides the same words are taller: the height of the wider ones would cut them.
    if (strip.clientWidth !== width && strip.style.blockSize !== '') fitHeight(strip, slider)
    width = strip.clientWidth
  })
  measurer.observe(strip)
  return () => {
    forgetSwipes()
    measurer.disconnect()
    grower.disconnect()
    strip.removeEventListener('focusin', follow)
    delete strip.dataset.live
    strip.style.blockSize = ''
    slider.destroy()
    tell(null)
  }
}

/**
 * The slider tells a swipe by its speed, reckoned from when it hears of it, and leaves the first move out:
 * on a busy device, which hears of few and late, it let the slide fall back. How far the finger went says the same.
 */
function turnBySwipes(strip: HTMLElement, slider: KeenSliderInstance): () => void {
  let from = 0
  let place = 0
  const placeNow = () => slider.track.details?.abs ?? 0
  const press = ({ touches }: TouchEvent) => {
    from = touches[0]?.clientX ?? 0
    place = placeNow()
  }
  const lift = ({ changedTouches }: TouchEvent) => {
    const moved = (changedTouches[0]?.clientX ?? from) - from
    const width = strip.children[0]?.clientWidth ?? 0
    const isTurning = (slider.animator.targetIdx ?? placeNow()) !== place
    if (isTurning || Math.abs(moved) < width * swipeMin) return
    if (moved < 0) slider.next()
    else slider.prev()
  }
  strip.addEventListener('touchstart', press, { passive: true })
  strip.addEventListener('touchend', lift)
  return () => {
    strip.removeEventListener('touchstart', press)
    strip.removeEventListener('touchend', lift)
  }
}

/** One slide a view: the strip is as tall as that one, not as the tallest. */
function fitHeight(strip: HTMLElement, slider: KeenSliderInstance) {
  const slide = strip.children[slider.track.details?.rel ?? 0]
  if (!(slide instanceof HTMLElement)) return
  const { paddingBlockStart, paddingBlockEnd } = getComputedStyle(strip)
  const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)
  strip.style.blockSize = `${slide.offsetHeight + padding}px`
}

/** Focus can reach a slide that is out of sight; the browser would scroll the strip itself. */
function bringIntoView(strip: HTMLElement, slider: KeenSliderInstance, target: EventTarget | null) {
  const index = [...strip.children].findIndex(
    (slide) => target instanceof Node && slide.contains(target),
  )
  strip.scrollLeft = 0
  const details = slider.track.details
  const slide = details?.slides[index]
  if (details && slide && (slide.portion ?? 0) < 0.99) {
    slider.moveToIdx(Math.min(index, details.maxIdx))
  }
}
