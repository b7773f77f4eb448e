// Opening of the home page: two alternating landscapes.

import { ArrowRight } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { frameByPlace, type Picture, widestPxByPlace } from '../../lib/picture'
import { fitScrim } from '../../lib/scrim'
import { PillLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import dawn from '../art/dawn.svg'
import dusk from '../art/dusk.svg'
import { heroLabels as labels } from '../fixed-messages/control-labels'
import { useContent } from '../use-content'
import { useIsArtMuted } from '../use-muted-art'
import styles from './hero.module.css'
import { pictureOr } from './media/image-or-art'
import { PlaceholderArt } from './media/placeholder-art'
import { MotionToggle, useMotion } from './motion-toggle'
import parts from './shared.module.css'

const slideIntervalMs = 5000
const landscapes = [dawn, dusk]

type HeroProps = {
  /** The practitioner's pictures; a landscape replaces a missing one. */
  readonly pictures: readonly (Picture | null)[]
}

export function Hero({ pictures: kept }: HeroProps) {
  const words = useContent('home.hero')
  const own = [words.pictureOne, words.pictureTwo]
  const pictures = own.map((one, index) => pictureOr(one, kept[index] ?? null))
  const [current, setCurrent] = useState(0)
  const isPaused = useMotion((state) => state.isPaused)
  const total = landscapes.length

  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (isPaused || still) return
    const timer = setTimeout(() => setCurrent((current + 1) % total), slideIntervalMs)
    return () => clearTimeout(timer)
  }, [current, isPaused, total])

  const isPhotographed = pictures.some((picture) => picture !== null)
  const opening = useScrim(isPhotographed)
  return (
    <section
      ref={opening}
      class={`${styles.hero} ${isPhotographed ? styles.photographed : ''}`}
      data-scrim={isPhotographed ? (words.scrim ?? '') : undefined}
    >
      {landscapes.map((landscape, index) => (
        <div
          class={`${styles.slide} ${index === current ? styles.shown : ''}`}
          // The transparent slide lies behind the shown one; its description would be read aloud.
          aria-hidden={index === current ? undefined : 'true'}
          key={landscape}
        >
          <Slide
            picture={pictures[index] ?? null}
            landscape={landscape}
            alt={own[index]?.alt ?? ''}
            isFirst={index === 0}
          />
        </div>
      ))}
      {!isPhotographed && <div class={styles.scrim} />}
      <div class={styles.words}>
        <div class={parts.wrap}>
          {words.who && <p class={styles.who}>{words.who}</p>}
          <h1>{words.title}</h1>
          <p>{words.subtitle}</p>
          <div class={parts.actions}>
            <PillLink href={words.ctaLink} tone="light">
              {words.cta}
              <Icon of={ArrowRight} />
            </PillLink>
            <PillLink href={words.consultationLink} tone="ghost">
              {words.consultation}
            </PillLink>
          </div>
        </div>
      </div>
      <fieldset class={styles.controls} aria-label={labels.dotsLabel}>
        {landscapes.map((landscape, index) => (
          <button
            key={landscape}
            type="button"
            class={styles.dot}
            aria-label={dotLabel(index + 1, total)}
            aria-current={index === current ? 'true' : undefined}
            onClick={() => setCurrent(index)}
          />
        ))}
        <MotionToggle />
      </fieldset>
    </section>
  )
}

/** Fits the scrim to the photographs, again whenever the opening has another size. */
function useScrim(isPhotographed: boolean) {
  const opening = useRef<HTMLElement>(null)
  useEffect(() => {
    const section = opening.current
    if (!isPhotographed || section === null) return
    let timer: ReturnType<typeof setTimeout>
    const resize = new ResizeObserver(() => {
      clearTimeout(timer)
      // A photograph that does not load leaves the scrim at its maximum.
      timer = setTimeout(() => fitScrim(section).catch(() => {}), scrimDelayMs)
    })
    resize.observe(section)
    return () => {
      clearTimeout(timer)
      resize.disconnect()
    }
  }, [isPhotographed])
  return opening
}

/** Leaves the first frames after hydration to the visitor. */
const scrimDelayMs = 100

type SlideProps = {
  readonly picture: Picture | null
  readonly landscape: string
  readonly alt: string
  readonly isFirst: boolean
}

function Slide({ picture, landscape, alt, isFirst }: SlideProps) {
  const priority = isFirst ? 'high' : 'low'
  const isQuiet = useIsArtMuted()
  if (picture)
    return (
      <PictureImage
        picture={picture}
        sizes="100vw"
        frame={frameByPlace.hero}
        widestPx={widestPxByPlace.hero}
        priority={priority}
      />
    )
  if (isQuiet)
    return (
      <PlaceholderArt
        seed={`home-hero-${landscape === dawn ? 1 : 2}`}
        isQuiet
        extraClass={styles.quietSlide}
      />
    )
  return <img src={landscape} alt={alt} width={1600} height={1000} fetchpriority={priority} />
}

function dotLabel(n: number, total: number): string {
  return labels.dotLabel.replace('{n}', `${n}`).replace('{total}', `${total}`)
}
