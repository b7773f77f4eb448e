// Lets the admin choose one of the pictures that the site shows already, found by its alternative text.
import { Search } from 'lucide'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../../lib/interpolate'
import { counted } from '../../../lib/plural'
import { Icon } from '../../../primitives/icon'
import { reasonOf } from '../../api/client'
import { listPictures, type PicturePage, type StoredPicture } from '../../api/pictures'
import { useDebouncedValue } from '../../hooks/use-debounced-value'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { words } from '../../ui/messages'
import field from '../../ui/search-field.module.css'
import { thumbnailUrl } from '../../ui/thumbnail'
import { pictureDialogMessages } from './messages'
import styles from './picture-library.module.css'

const own = pictureDialogMessages.library
const TILE_PX = 160

export function PictureLibrary({ onAnswer }: { onAnswer: (chosen: StoredPicture | null) => void }) {
  const [typed, setTyped] = useState('')
  const query = useDebouncedValue(typed)
  const { page, error, load } = usePictures(query)
  const isEmpty = page !== null && page.pictures.length === 0
  return (
    <Dialog title={own.title} size="large" onClose={() => onAnswer(null)}>
      <search className={`${field.field} ${styles.find}`}>
        <Icon of={Search} size={20} />
        <input
          type="search"
          value={typed}
          aria-label={own.find}
          placeholder={own.placeholder}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      <p className={styles.status} role="status">
        {page === null && error === null ? words.loading : null}
        {page === null || isEmpty ? null : counted(page.found, own.countOne, own.count)}
        {page !== null && isEmpty
          ? page.total === 0
            ? own.empty
            : fill(own.nothing, { query: page.query })
          : null}
      </p>
      {page === null || isEmpty ? null : (
        <ul className={styles.grid} aria-label={own.list}>
          {page.pictures.map((picture) => (
            <li key={picture.url}>
              <button type="button" onClick={() => onAnswer(picture)}>
                <img src={thumbnailUrl(picture, TILE_PX) ?? picture.url} alt="" loading="lazy" />
                <span>{picture.alt ?? own.noAlt}</span>
                <small>{counted(picture.uses.length, own.usedOne, own.used)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {error === null ? null : (
        <div className={styles.more} role="alert">
          <p>{error}</p>
          <Button tone="outline" small onClick={load}>
            {words.retry}
          </Button>
        </div>
      )}
      {page === null || error !== null || page.pictures.length >= page.found ? null : (
        <div className={styles.more}>
          <Button tone="outline" small onClick={load}>
            {own.more}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

type Shown = PicturePage & { readonly query: string }

/** The pictures found so far; `load` adds the next ones. */
function usePictures(query: string) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [error, setError] = useState<string | null>(null)
  const latest = useRef(0)
  const known = shown?.query === query ? shown.pictures : []
  const load = useCallback(
    async (before: readonly StoredPicture[]) => {
      latest.current += 1
      const turn = latest.current
      setError(null)
      try {
        const next = await listPictures(query, before.length)
        if (turn !== latest.current) return
        // A picture that was added meanwhile moves the others on.
        const isNew = ({ url }: StoredPicture) => before.every((one) => one.url !== url)
        setShown({ ...next, pictures: [...before, ...next.pictures.filter(isNew)], query })
      } catch (failure) {
        if (turn === latest.current) setError(reasonOf(failure) ?? words.network)
      }
    },
    [query],
  )
  useEffect(() => void load([]), [load])
  // The former hits stay until those of the present query are there.
  return { page: shown, error, load: () => void load(known) }
}
