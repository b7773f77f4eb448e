// Redirects that the admin makes, and the addresses that visitors requested and the site does not have.
import { Plus, Trash2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { dayText } from '../../../lib/panel-date-format'
import { counted } from '../../../lib/plural'
import { call, fieldErrorsOf, reasonOf } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Switch } from '../../ui/fields/switch-field'
import { TextField } from '../../ui/fields/text-field'
import { words as panel } from '../../ui/messages'
import { Card, WhenLoaded } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { toastDone, toastFailed } from '../../ui/toast-store'
import styles from './redirects.module.css'

const PATH = '/api/admin/redirects'
const MISSING_FIRST = 8

const words = {
  title: 'Indirizzi che portano altrove',
  text: 'Per un indirizzo che non c’è più, o che hai stampato su un volantino: chi lo apre arriva alla pagina che scegli. Quando cambi l’indirizzo di un articolo, il sito lo fa da sé.',
  open: 'Apri l’elenco',
  from: 'Indirizzo',
  to: 'Porta a',
  toHelp: 'L’indirizzo di una pagina del sito: puoi copiarlo dal browser.',
  gone: 'Non c’è più niente al suo posto',
  goneHelp: 'I motori di ricerca lo tolgono prima.',
  add: 'Aggiungi',
  added: 'Indirizzo aggiunto',
  nowhere: 'non porta a niente: la pagina non c’è più',
  isGone: 'non c’è più niente',
  hidden: 'a questo indirizzo adesso c’è una pagina, che viene prima',
  none: 'Non ne hai ancora fatto nessuno.',
  remove: 'Togli',
  removed: 'Indirizzo tolto',
  missing: 'Cercati e non trovati',
  missingText:
    'Indirizzi che qualcuno ha aperto e che non ci sono. Si contano con le visite, senza sapere chi è stato.',
  nothingMissing: 'Per ora nessuno ha cercato un indirizzo che non c’è.',
  choose: 'Porta a…',
  more: 'Mostra tutti',
  clear: 'Svuota l’elenco',
  clearQuestion: 'Svuotare l’elenco degli indirizzi cercati?',
  clearText: 'Si ricomincia a contare da zero.',
  cleared: 'Elenco svuotato',
} as const

type Row = {
  readonly from: string
  readonly to: string | null
  readonly gone: boolean
  readonly madeBy: string
  readonly isPage: boolean
}

type Missing = { readonly path: string; readonly count: number; readonly lastDay: string }

type Redirects = { readonly redirects: readonly Row[]; readonly missing: readonly Missing[] }

/** Requests the list when the admin opens it, because few sites need it. */
export function RedirectsCard() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={words.title}>
      <p className={areas.soft}>{words.text}</p>
      {isOpen ? (
        <Opened />
      ) : (
        <div className={areas.buttons}>
          <Button tone="outline" onClick={() => setOpen(true)}>
            {words.open}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Opened() {
  const data = useLoad<Redirects>(PATH)
  const form = useRef<HTMLFormElement>(null)
  const [from, setFrom] = useState('')
  const choose = (path: string) => {
    setFrom(path)
    form.current?.querySelector<HTMLInputElement>('#redirect-to')?.focus()
  }
  return (
    <>
      <AddForm form={form} from={from} onFrom={setFrom} onAdded={data.reload} />
      <WhenLoaded data={data}>
        {({ redirects, missing }) => (
          <>
            <Own
              rows={redirects.filter(({ madeBy }) => madeBy === 'admin')}
              onChange={data.reload}
            />
            <Sought rows={missing} onChoose={choose} onChange={data.reload} />
          </>
        )}
      </WhenLoaded>
    </>
  )
}

type AddFormProps = {
  form: { current: HTMLFormElement | null }
  from: string
  onFrom: (path: string) => void
  onAdded: () => Promise<void>
}

function AddForm({ form, from, onFrom, onAdded }: AddFormProps) {
  const [to, setTo] = useState('')
  const [gone, setGone] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const add = async () => {
    setBusy(true)
    setProblems({})
    try {
      await call('PUT', PATH, gone ? { from, gone } : { from, to })
      toastDone(words.added)
      onFrom('')
      setTo('')
      setGone(false)
      await onAdded()
    } catch (error) {
      const fields = fieldErrorsOf(error)
      setProblems(fields)
      if (Object.keys(fields).length === 0) toastFailed(panel.toasts.update, reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void add()
      }}
    >
      <TextField
        id="redirect-from"
        label={words.from}
        value={from}
        placeholder="Es. /vecchia-pagina"
        isCode
        unmarked
        problem={problems.from}
        onChange={onFrom}
      />
      {gone ? null : (
        <TextField
          id="redirect-to"
          label={words.to}
          value={to}
          placeholder="Es. /servizi"
          help={words.toHelp}
          isCode
          unmarked
          problem={problems.to}
          onChange={setTo}
        />
      )}
      <div className={styles.end}>
        <Switch label={words.gone} help={words.goneHelp} checked={gone} onChange={setGone} />
        <Button submit tone="outline" icon={Plus} busy={busy}>
          {words.add}
        </Button>
      </div>
    </form>
  )
}

type OwnProps = { rows: readonly Row[]; onChange: () => Promise<void> }

function Own({ rows, onChange }: OwnProps) {
  const remove = async ({ from, to, gone }: Row) => {
    const path = `${PATH}?from=${encodeURIComponent(from)}`
    if (!(await attempt(panel.toasts.remove, () => call('DELETE', path)))) return
    const restore = async () => {
      await attempt(panel.toasts.update, () =>
        call('PUT', PATH, gone ? { from, gone } : { from, to }),
      )
      await onChange()
    }
    toastDone(words.removed, to === null && !gone ? null : () => void restore())
    await onChange()
  }
  if (rows.length === 0) return <p className={areas.soft}>{words.none}</p>
  return (
    <ul className={areas.rows}>
      {rows.map((row) => (
        <li key={row.from}>
          <div className={areas.grow}>
            <b>{row.from}</b>
            {row.to === null ? '' : ` → ${row.to}`}
            {stateOf(row) === '' ? null : <small>{stateOf(row)}</small>}
          </div>
          <Button
            tone="quiet"
            small
            icon={Trash2}
            label={`${words.remove} ${row.from}`}
            onClick={() => void remove(row)}
          >
            {words.remove}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function stateOf({ to, gone, isPage }: Row): string {
  if (isPage) return words.hidden
  if (gone) return words.isGone
  return to === null ? words.nowhere : ''
}

type SoughtProps = {
  rows: readonly Missing[]
  onChoose: (path: string) => void
  onChange: () => Promise<void>
}

function Sought({ rows, onChoose, onChange }: SoughtProps) {
  const [all, setAll] = useState(false)
  const [asks, setAsks] = useState(false)
  const clear = async () => {
    const done = await attempt(panel.toasts.remove, () =>
      call('DELETE', '/api/admin/missing-paths'),
    )
    setAsks(false)
    if (done) toastDone(words.cleared)
    await onChange()
  }
  const shown = all ? rows : rows.slice(0, MISSING_FIRST)
  return (
    <div className={styles.missing}>
      <h3>{words.missing}</h3>
      <p className={areas.soft}>{rows.length === 0 ? words.nothingMissing : words.missingText}</p>
      <ul className={areas.rows}>
        {shown.map(({ path, count, lastDay }) => (
          <li key={path}>
            <div className={areas.grow}>
              <b>{path}</b>
              <small>
                {counted(count, 'una volta', '{n} volte')}, l’ultima {dayText(lastDay)}
              </small>
            </div>
            <Button
              tone="outline"
              small
              label={`${words.choose} ${path}`}
              onClick={() => onChoose(path)}
            >
              {words.choose}
            </Button>
          </li>
        ))}
      </ul>
      {rows.length === 0 ? null : (
        <div className={areas.buttons}>
          {shown.length === rows.length ? null : (
            <Button tone="outline" small onClick={() => setAll(true)}>
              {words.more}
            </Button>
          )}
          <Button tone="quiet" small onClick={() => setAsks(true)}>
            {words.clear}
          </Button>
        </div>
      )}
      {asks ? (
        <Confirm
          question={words.clearQuestion}
          confirm={words.clear}
          onConfirm={clear}
          onClose={() => setAsks(false)}
        >
          <p>{words.clearText}</p>
        </Confirm>
      ) : null}
    </div>
  )
}
