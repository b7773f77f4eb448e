// Pictures of an event for messages, stories and paper, drawn in the browser, and the text to send with them.
import { Copy, Download, MessageCircle, Printer, Share2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { isSoldOut } from '../../../lib/places-left'
import { call, reasonOf } from '../../api/client'
import { type Item, type Kind, titleOf } from '../../api/schema'
import { Alert } from '../../auth/sign-in-form'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextareaField } from '../../ui/fields/textarea-field'
import { words } from '../../ui/messages'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { listMessages } from './list-messages'
import styles from './share-dialog.module.css'
import {
  drawPoster,
  layouts,
  loadTypefaces,
  type Poster,
  type QrCode,
  type ShareFormat,
} from './share-picture'
import { factsOf, shareText } from './share-text'
import { slugOf } from './slug'

type Link = { readonly url: string; readonly qrCode: QrCode }
type Sheet = { readonly format: ShareFormat; readonly url: string; readonly file: File }

const FORMATS: readonly { format: ShareFormat; name: string; use: string }[] = [
  { format: 'post', name: 'Post', use: '1080 × 1350, per Instagram e WhatsApp' },
  { format: 'story', name: 'Storia', use: '1080 × 1920, per lo stato e le storie' },
  { format: 'paper', name: 'Locandina', use: 'Un foglio A4 da stampare' },
]
const NO_PICTURE = 'La foto non è arrivata: al suo posto c’è un disegno. Chiudi e riprova.'
const FAILED = 'Le immagini non si possono preparare adesso. Chiudi e riprova.'
const TEXT_CHARACTERS_MAX = 2000
const JPEG_QUALITY = 0.92

type ShareProps = { kind: Kind; item: Item; onClose: () => void }

export function ShareDialog({ kind, item, onClose }: ShareProps) {
  const { link, sheets, problem } = useSheets(kind, item)
  return (
    <Dialog title="Condividi l’evento" onClose={onClose} size="large">
      <div className={styles.share}>
        {problem === null ? null : <Alert text={problem} />}
        {link === null ? (
          <p role="status">{problem === null ? 'Preparo le immagini...' : ''}</p>
        ) : (
          <>
            <ul className={styles.sheets}>
              {FORMATS.map((row) => (
                <SheetCard
                  key={row.format}
                  {...row}
                  title={titleOf(item, words.untitled)}
                  sheet={sheets.find(({ format }) => format === row.format) ?? null}
                />
              ))}
            </ul>
            <Message text={shareText(item, link.url)} />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Draws one picture after the other, the sheet of paper last: it is the largest. */
function useSheets(kind: Kind, item: Item) {
  const [link, setLink] = useState<Link | null>(null)
  const [sheets, setSheets] = useState<readonly Sheet[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isOpen = true
    const urls: string[] = []
    const draw = async () => {
      const [found, site, image] = await Promise.all([
        call<Link>('GET', `/api/admin/${kind}/${item.id}/qr-code`),
        call<{ brand: string | null }>('GET', '/api/site'),
        loadImage(item),
      ])
      if (!isOpen) return
      if (image === 'failed') setProblem(NO_PICTURE)
      const poster = posterOf(kind, item, found, site.brand ?? '', image)
      await loadTypefaces(poster)
      if (isOpen) setLink(found)
      for (const { format } of FORMATS) {
        const blob = await jpegOf(drawPoster(format, poster))
        if (!isOpen) return
        const name = `${slugOf(titleOf(item, 'evento')) || 'evento'}-${format}.jpg`
        const file = new File([blob], name, { type: 'image/jpeg' })
        const url = URL.createObjectURL(file)
        urls.push(url)
        setSheets((all) => [...all, { format, url, file }])
      }
    }
    draw().catch((error: unknown) => {
      if (isOpen) setProblem(reasonOf(error) ?? FAILED)
    })
    return () => {
      isOpen = false
      for (const url of urls) URL.revokeObjectURL(url)
    }
  }, [])
  return { link, sheets, problem }
}

function posterOf(
  kind: Kind,
  item: Item,
  { url, qrCode }: Link,
  brand: string,
  image: HTMLImageElement | 'failed' | null,
): Poster {
  const { statusTexts } = listMessages[kind]
  const { cancelled, soldOut, placesLeft } = item
  const isCancelled = cancelled === true
  const isFull = isSoldOut({ soldOut, placesLeft })
  const status = isCancelled ? 'cancelled' : isFull ? 'soldOut' : null
  const text = status === null ? undefined : statusTexts?.[status].text
  const { focusX, focusY } = item.image ?? { focusX: 50, focusY: 50 }
  return {
    title: titleOf(item, words.untitled),
    facts: factsOf(item),
    seal: text === undefined ? null : { text, isCancelled },
    brand,
    host: new URL(url).host,
    qrCode,
    picture: image === null || image === 'failed' ? null : { image, focusX, focusY },
  }
}

/** The widest stored variant of the event's picture; null without one. */
async function loadImage({ image }: Item): Promise<HTMLImageElement | 'failed' | null> {
  if (image === null || image === undefined) return null
  const width = image.widths.at(-1)
  const element = new Image()
  element.src = width === undefined ? image.url : `${image.url}/${width}.jpg`
  try {
    await element.decode()
    return element
  } catch {
    return 'failed'
  }
}

function jpegOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => {
    const take = (blob: Blob | null) => (blob === null ? failed(new Error('no JPEG')) : done(blob))
    canvas.toBlob(take, 'image/jpeg', JPEG_QUALITY)
  })
}

type SheetCardProps = {
  format: ShareFormat
  name: string
  use: string
  title: string
  sheet: Sheet | null
}

function SheetCard({ format, name, use, title, sheet }: SheetCardProps) {
  const { width, height } = layouts[format]
  return (
    <li className={styles.sheet}>
      {sheet === null ? (
        <span className={styles[format]} role="status">
          {words.loading}
        </span>
      ) : (
        <img
          className={styles[format]}
          src={sheet.url}
          alt={`${name}: ${title}`}
          width={width}
          height={height}
        />
      )}
      <p>
        <b>{name}</b>
        <small>{use}</small>
      </p>
      {sheet === null ? null : <SheetActions format={format} name={name} sheet={sheet} />}
    </li>
  )
}

function SheetActions({
  format,
  name,
  sheet,
}: {
  format: ShareFormat
  name: string
  sheet: Sheet
}) {
  const data = { files: [sheet.file] }
  const canShare = typeof navigator.canShare === 'function' && navigator.canShare(data)
  return (
    <div className={styles.buttons}>
      {format === 'paper' ? (
        <Button small icon={Printer} onClick={() => void printImage(sheet.url)}>
          Stampa
        </Button>
      ) : null}
      {canShare && format !== 'paper' ? (
        <Button small icon={Share2} label={`Invia: ${name}`} onClick={() => void share(data)}>
          Invia
        </Button>
      ) : null}
      <ButtonLink href={sheet.url} icon={Download} download={sheet.file.name}>
        Scarica
      </ButtonLink>
    </div>
  )
}

function Message({ text }: { text: string }) {
  const [message, setMessage] = useState(text)
  return (
    <section className={styles.message}>
      <TextareaField
        id="share-text"
        label="Il testo da mandare"
        help="Puoi cambiarlo prima di mandarlo."
        value={message}
        max={TEXT_CHARACTERS_MAX}
        onChange={setMessage}
      />
      <div className={styles.buttons}>
        <ButtonLink
          href={`https://wa.me/?text=${encodeURIComponent(message)}`}
          icon={MessageCircle}
          isExternal
        >
          Apri WhatsApp
        </ButtonLink>
        <Button tone="quiet" icon={Copy} onClick={() => void copy(message)}>
          Copia il testo
        </Button>
      </div>
    </section>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toastDone('Testo copiato')
  } catch {
    toastFailed('Il browser non permette di copiare: seleziona il testo e copialo a mano.', null)
  }
}

async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch {
    // The promise also rejects when the share sheet is closed, which is not an error.
  }
}

/** Prints the picture alone on one sheet: `share-dialog.module.css` hides everything else on paper. */
async function printImage(url: string): Promise<void> {
  document.querySelector(`.${styles.print}`)?.remove()
  const sheet = document.createElement('div')
  sheet.className = styles.print ?? ''
  const image = new Image()
  image.src = url
  sheet.append(image)
  document.body.append(sheet)
  // A browser that prints later than `print` returns still needs the sheet.
  window.addEventListener('afterprint', () => sheet.remove(), { once: true })
  await image.decode()
  window.print()
}
