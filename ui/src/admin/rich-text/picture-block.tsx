// Node view of a picture in the text: caption always, alternative text and focal point while selected.

import { Crop, Crosshair, ImagePlus, Images, ImageUp, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { reasonOf, uploadFile } from '../api/client'
import { checkedFile } from '../api/file-check'
import { chooseStoredPicture, cropPicture } from '../hooks/picture-dialogs'
import { Button, IconButton } from '../ui/button'
import { ratiosOf, type Size, textCropsOf } from '../ui/fields/crop-frames'
import { FocalPoint } from '../ui/fields/focal-point'
import { words as panelWords } from '../ui/messages'
import { toastDone, toastFailed } from '../ui/toast-store'
import type { BlockProps } from './block-view'
import styles from './blocks.module.css'
import { chooseFiles, localUrlOf, rememberLocalFile } from './image-uploads'
import { richTextMessages } from './messages'
import { UPLOADS } from './schema'

const CHARACTERS_MAX = 300
const words = richTextMessages.picture

export function PictureBlock({ id: own, attrs, chosen, set, remove, add }: BlockProps) {
  const [pointing, setPointing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [unreadable, setUnreadable] = useState('')
  const fresh = attrs.id === unreadable ? null : localUrlOf(String(attrs.id))
  const source = fresh ?? UPLOADS + attrs.id
  const text = (value: unknown) => String(value ?? '')

  const replace = async () => {
    const [chosenFile] = await chooseFiles(false)
    if (chosenFile === undefined) return
    setBusy(true)
    try {
      const { file, refusal } = await checkedFile(chosenFile)
      if (refusal !== null) throw new Error(refusal)
      const path = await uploadFile(file, () => undefined, new AbortController().signal, toastDone)
      const id = path.slice(UPLOADS.length)
      rememberLocalFile(id, file)
      set({ id, x: 50, y: 50 })
    } catch (error) {
      const reason = reasonOf(error) ?? (error instanceof Error ? error.message : null)
      toastFailed(panelWords.toasts.upload, reason)
    }
    setBusy(false)
  }

  const choose = async () => {
    const stored = await chooseStoredPicture()
    if (stored === null) return
    set({ id: stored.url.slice(UPLOADS.length), alt: stored.alt ?? '', x: 50, y: 50 })
  }
  const crop = async () => {
    const cuts = (size: Size) => ratiosOf(textCropsOf(size, add !== null))
    const made = await cropPicture(UPLOADS + attrs.id, cuts)
    if (made !== null) set({ id: made.slice(UPLOADS.length), x: 50, y: 50 })
  }

  return (
    <figure className={chosen ? `${styles.picture} ${styles.chosen}` : styles.picture}>
      {chosen && pointing ? (
        <FocalPoint
          src={source}
          x={Number(attrs.x)}
          y={Number(attrs.y)}
          crops={(size) => textCropsOf(size, add !== null)}
          onChange={(x, y) => set({ x, y })}
        />
      ) : (
        <img
          src={source}
          alt={text(attrs.alt)}
          draggable={false}
          // Falls back to the server's copy if the browser cannot decode the local file, such as a phone photo.
          onError={() => setUnreadable(fresh === null ? '' : String(attrs.id))}
        />
      )}
      {chosen ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a minimum size of its own
        <div className={styles.pictureTools} role="group" aria-label={words.label}>
          <Button tone="quiet" small icon={ImageUp} busy={busy} onClick={() => void replace()}>
            {words.replace}
          </Button>
          <IconButton label={words.choose} icon={Images} onClick={() => void choose()} />
          <IconButton label={words.crop} icon={Crop} onClick={() => void crop()} />
          <IconButton
            label={words.focal}
            icon={Crosshair}
            pressed={pointing}
            onClick={() => setPointing(!pointing)}
          />
          {add === null ? null : (
            <IconButton
              label={richTextMessages.gallery.add}
              icon={ImagePlus}
              onClick={() => void chooseFiles(true).then(add)}
            />
          )}
          <IconButton label={words.remove} icon={Trash2} danger onClick={remove} />
        </div>
      ) : null}
      <input
        className={styles.caption}
        value={text(attrs.caption)}
        maxLength={CHARACTERS_MAX}
        placeholder={words.captionPlaceholder}
        aria-label={words.caption}
        onInput={(event) => set({ caption: event.currentTarget.value })}
      />
      {chosen ? (
        <div className={styles.alt}>
          <label htmlFor={own}>{words.alt}</label>
          <input
            id={own}
            value={text(attrs.alt)}
            maxLength={CHARACTERS_MAX}
            aria-describedby={`${own}-hint`}
            onInput={(event) => set({ alt: event.currentTarget.value })}
          />
          <p id={`${own}-hint`}>{words.altHint}</p>
        </div>
      ) : null}
    </figure>
  )
}
