// Warns about uploaded pictures without an alternative text, without blocking publishing.

import { Button } from '../../../ui/button'
import type { Block } from '../api/content-api'
import { nameOf } from '../api/use-publishing'
import { wording } from '../messages'
import { isSilent, picturesIn } from '../model/block-pictures'
import { draftOf, usePages } from '../model/pages-store'
import styles from './warnings.module.css'

type PictureHintsProps = { blocks: readonly Block[]; onChoose: (place: string) => void }

const { altMissing } = wording.picture

export function AltTextWarnings({ blocks, onChoose }: PictureHintsProps) {
  const drafts = usePages((store) => store.drafts)
  const places = blocks.flatMap((block) =>
    picturesIn(block, draftOf({ drafts }, block).value).flatMap(({ path, picture }) =>
      isSilent(picture) ? [`${block.id}:${path}`] : [],
    ),
  )
  if (places.length === 0) return null
  return (
    <section className={styles.hints} aria-label={altMissing}>
      <h3>{altMissing}</h3>
      {places.map((place) => (
        <div key={place} className={styles.sum}>
          <p>
            <b>{nameOf(place)}</b>
          </p>
          <p>{wording.picture.altHint}</p>
          <div className={styles.choices}>
            <Button tone="outline" small onClick={() => onChoose(place)}>
              {wording.legal.goTo}
            </Button>
          </div>
        </div>
      ))}
    </section>
  )
}
