// Proposes the alternative text that the same picture has elsewhere on the site.
import { useEffect, useState } from 'preact/hooks'
import { fill } from '../../../lib/interpolate'
import { getPicture } from '../../api/pictures'
import { Button } from '../button'
import styles from './picture-field.module.css'
import { pictureMessages } from './picture-messages'

export function KnownAlt({ path, onTake }: { path: string; onTake: (alt: string) => void }) {
  const [alt, setAlt] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setAlt(null)
    getPicture(path).then(
      (picture) => {
        if (isCurrent) setAlt(picture.alt)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [path])
  if (alt === null) return null
  return (
    <p className={styles.known} role="status">
      {fill(pictureMessages.knownAlt, { alt })}
      <Button tone="outline" small onClick={() => onTake(alt)}>
        {pictureMessages.takeAlt}
      </Button>
    </p>
  )
}
