// Tracks the position of a carousel strip: below 64rem it scrolls and snaps natively; from 64rem, where it has buttons,
// keen-slider takes it over once it comes near the viewport.

import type { KeenSliderInstance, KeenSliderOptions } from 'keen-slider'

export type CarouselPosition = { readonly at: number; readonly last: number }

/** Called when the strip has moved or changed. `slider` is null while the strip scrolls natively. */
type OnPosition = (place: CarouselPosition, slider: KeenSliderInstance | null) => void

/** Distance below the viewport at which the slider is created. */
const nearMargin = '0px 0px 50% 0px'
const scrollCheckMs = 250
/** Same condition as in the style sheet, which shows the buttons. */
const buttonsQuery = '(width >= 64rem)'

/** Starts following the strip. Returns a function that stops it and restores the strip. */
export function watchPosition(strip: HTMLElement, wideViews: number, tell: OnPosition): () => void {
  const hasButtons = matchMedia(buttonsQuery)
  let stop = () => {}
  const begin = () => {
    stop()
    stop = hasButtons.matches ? slideWhenNear(strip, wideViews, tell) : followScroll(strip, tell)
  }
  begin()
  hasButtons.addEventListener('change', begin)
  return () => {
    hasButtons.removeEventListener('change', begin)
    stop()
  }
}

export function scrollToSlide(strip: HTMLElement, index: number, behavior: ScrollBehavior): void {
  const slide = strip.children[index]
  if (slide instanceof HTMLElement) strip.scrollTo({ left: slide.offsetLeft, behavior })
}

function followScroll(strip: HTMLElement, tell: OnPosition): () => void {
  let at = -1
  const slideWidth = () => strip.firstElementChild?.clientWidth ?? 0
  const measure = () => {
    const width = slideWidth()
    if (width === 0) return
    // Content below a visible strip must not jump before the visitor has moved the strip.
    const isQuiet = at === -1 && strip.getBoundingClientRect().bottom <= innerHeight
    const views = Math.round(strip.clientWidth / width)
    at = Math.round(strip.scrollLeft / width)
    if (views > 1) strip.style.blockSize = ''
    else if (!isQuiet) fitHeight(strip, at)
    tell({ at, last: strip.children.length - views }, null)
  }
  const onScroll = () => {
    // The strip is as tall as its current slide: scrolling to text in a taller one moved the whole strip up.
    strip.scrollTop = 0
    if (Math.round(strip.scrollLeft / slideWidth()) !== at) measure()
  }
  const growth = new MutationObserver(measure)
  growth.observe(strip, { childList: true })
  const resize = new ResizeObserver(measure)
  for (const slide of strip.children) resize.observe(slide)
  strip.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    growth.disconnect()
    resize.disconnect()
    strip.removeEventListener('scroll', onScroll)
    strip.style.blockSize = ''
  }
}

/** With one slide per view, gives the strip the height of that slide instead of the tallest one. */
function fitHeight(strip: HTMLElement, at: number): void {
  const slide = strip.children[at]
  if (slide instanceof HTMLElement) strip.style.blockSize = `${slide.offsetHeight}px`
}

function slideWhenNear(strip: HTMLElement, wideViews: number, tell: OnPosition): () => void {
  let isGone = false
  let end = () => {}
  const start = async () => {
    // A separate chunk: a page that is not scrolled down does not load it.
    const { default: KeenSlider } = await import('keen-slider')
    await scrollEnd(strip)
    if (!isGone) end = takeOver(strip, wideViews, KeenSlider, tell)
  }
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      // If the chunk fails to load, the strip keeps scrolling natively.
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

/** Waits until scrolling ends: a strip taken over while it scrolls jumps back. Polls, as Safari has no `scrollend`. */
async function scrollEnd(strip: HTMLElement): Promise<void> {
  for (let left = Number.NaN; left !== strip.scrollLeft; ) {
    left = strip.scrollLeft
    await new Promise((done) => setTimeout(done, scrollCheckMs))
  }
}

function takeOver(
  strip: HTMLElement,
  wideViews: number,
  KeenSlider: typeof import('keen-slider').default,
  tell: OnPosition,
): () => void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const slides = [...strip.children] as HTMLElement[]
  const report = (slider: KeenSliderInstance) => {
    const { rel: at, maxIdx: last } = slider.track.details ?? {}
    if (at !== undefined && last !== undefined) tell({ at, last }, slider)
  }
  const options: KeenSliderOptions = {
    selector: slides,
    defaultAnimation: { duration: isStill ? 0 : 700 },
    slides: { perView: wideViews },
    created: report,
    updated: report,
    slideChanged: report,
  }
  const initial = Math.round((strip.scrollLeft / strip.scrollWidth) * slides.length)
  const slider = new KeenSlider(strip, { ...options, initial })
  // Slides added later join at the end, and the position stays.
  const growth = new MutationObserver(() => {
    const all = { ...options, selector: [...strip.children] as HTMLElement[] }
    slider.update(all, slider.track.details?.rel)
  })
  growth.observe(strip, { childList: true })
  strip.dataset.live = ''
  strip.scrollLeft = 0
  const follow = (event: FocusEvent) => bringIntoView(strip, slider, event.target)
  strip.addEventListener('focusin', follow)
  const onScroll = () => adoptScroll(strip, slider)
  strip.addEventListener('scroll', onScroll, { passive: true })
  // The slider measures on window resize, which can fire before the page has its new layout.
  const resize = new ResizeObserver(() => slider.update())
  resize.observe(strip)
  return () => {
    const at = slider.track.details?.rel ?? 0
    resize.disconnect()
    growth.disconnect()
    strip.removeEventListener('focusin', follow)
    strip.removeEventListener('scroll', onScroll)
    delete strip.dataset.live
    slider.destroy()
    scrollToSlide(strip, at, 'instant')
  }
}

/** Anchors and searches in the page scroll the strip although the slider moves it: the slider goes there instead. */
function adoptScroll(strip: HTMLElement, slider: KeenSliderInstance) {
  const { scrollLeft, scrollTop } = strip
  if (scrollLeft === 0 && scrollTop === 0) return
  strip.scrollTo({ left: 0, top: 0, behavior: 'instant' })
  const details = slider.track.details
  const width = strip.firstElementChild?.clientWidth ?? 0
  if (!details || width === 0 || scrollLeft === 0) return
  slider.moveToIdx(Math.min(details.rel + Math.ceil(scrollLeft / width - 0.01), details.maxIdx))
}

/** Moves the slider to the focused slide if it is not visible, and undoes the browser's own scrolling of the strip. */
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
