// Checks whether the linked addresses of other sites still answer, only when the admin presses the button.
import { Link2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { dayText, timeText } from '../../../lib/panel-date-format'
import { counted } from '../../../lib/plural'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { kindLabels } from '../../api/kind-labels'
import type { Kind } from '../../api/schema'
import { areaHref, itemHref, settingHref } from '../../app/routes'
import { Button } from '../../ui/button'
import { words as panel } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'

const PATH = '/api/admin/link-check'
const POLL_MS = 1_000

const words = {
  title: 'Link ad altri siti',
  text: 'Prova una volta ogni indirizzo esterno che il sito pubblicato nomina, e dice quali non rispondono più. Parte solo quando premi, e non cambia niente da sé.',
  start: 'Controlla i link',
  running: (done: number, total: number) => `Controllo: ${done} di ${total}`,
  none: 'Il sito non nomina altri siti.',
  allFine: 'Rispondono tutti.',
  checked: (when: string) => `Controllati ${when}.`,
  movedTo: (to: string) => `adesso sta a ${to}`,
  refused: (status: number) => `non si lascia controllare da un programma (${status}): aprilo tu`,
} as const

type Result =
  | 'ok'
  | 'moved'
  | 'missing'
  | 'refused'
  | 'failing'
  | 'noHost'
  | 'silent'
  | 'insecure'
  | 'notPublic'
  | 'notChecked'

const RESULTS: Readonly<Record<Exclude<Result, 'ok' | 'moved' | 'refused'>, string>> = {
  missing: 'la pagina non c’è più',
  failing: 'il sito risponde che è guasto',
  noHost: 'il sito non esiste più, o il nome è sbagliato',
  silent: 'non risponde',
  insecure: 'il suo certificato non è valido',
  notPublic: 'non è un indirizzo pubblico: chi visita il sito non può aprirlo',
  notChecked: 'non controllato: è passato troppo tempo',
}

type Place = {
  readonly title: string | null
  readonly kind?: Kind
  readonly id?: string
  readonly block?: string
  readonly setting?: string
}

type CheckedLink = {
  readonly url: string
  readonly result: Result
  readonly to: string | null
  readonly status: number | null
  readonly places: readonly Place[]
}

type LinkCheck = {
  readonly isRunning: boolean
  readonly startedAt: string
  readonly total: number
  readonly leftOut: number
  readonly links: readonly CheckedLink[]
}

export function LinkCheckCard() {
  const [check, setCheck] = useState<LinkCheck | null>(null)
  const isRunning = check?.isRunning ?? false
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => {
      void call<LinkCheck | null>('GET', PATH, undefined, true).then(setCheck, () => undefined)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  const start = async () => {
    await attempt(panel.toasts.update, async () => setCheck(await call('POST', PATH)))
  }
  return (
    <Card title={words.title}>
      <p className={areas.soft}>{words.text}</p>
      <div className={areas.buttons}>
        <Button tone="outline" icon={Link2} busy={isRunning} onClick={() => void start()}>
          {words.start}
        </Button>
      </div>
      <p role="status">
        {check === null
          ? ''
          : isRunning
            ? words.running(check.links.length, check.total)
            : endOf(check)}
      </p>
      {check === null || isRunning ? null : <Broken links={check.links} />}
    </Card>
  )
}

function endOf({ total, leftOut, links, startedAt }: LinkCheck): string {
  if (total === 0) return words.none
  const when = `${dayText(startedAt)}, ${timeText(new Date(startedAt))}`
  const bad = links.filter(({ result }) => result !== 'ok').length
  return [
    words.checked(when),
    bad === 0 ? words.allFine : '',
    counted(bad, 'Uno è da guardare.', '{n} sono da guardare.', ''),
    counted(leftOut, 'Un altro è rimasto fuori.', 'Altri {n} sono rimasti fuori.', ''),
  ]
    .filter((line) => line !== '')
    .join(' ')
}

function Broken({ links }: { links: readonly CheckedLink[] }) {
  const bad = links.filter(({ result }) => result !== 'ok')
  if (bad.length === 0) return null
  return (
    <ul className={areas.rows}>
      {bad.map((link) => (
        <li key={link.url}>
          <div className={areas.grow}>
            <a className={areas.link} href={link.url} target="_blank" rel="noopener noreferrer">
              {link.url}
            </a>
            <small>{reasonOf(link)}</small>
            <small>
              {link.places.map((place, index) => (
                <span key={hrefOf(place)}>
                  {index > 0 ? ' · ' : ''}
                  <a className={areas.link} href={hrefOf(place)}>
                    {nameOf(place)}
                  </a>
                </span>
              ))}
            </small>
          </div>
        </li>
      ))}
    </ul>
  )
}

function reasonOf({ result, to, status }: CheckedLink): string {
  if (result === 'ok') return ''
  if (result === 'moved') return words.movedTo(to ?? '')
  if (result === 'refused') return words.refused(status ?? 0)
  return RESULTS[result]
}

function hrefOf({ kind, id, setting }: Place): string {
  if (kind !== undefined && id !== undefined) return itemHref(kind, id)
  return setting === undefined ? areaHref('pagine') : settingHref(setting)
}

function nameOf({ kind, title }: Place): string {
  return [kind === undefined ? '' : kindLabels[kind].label, title ?? '']
    .filter((name) => name !== '')
    .join(': ')
}
