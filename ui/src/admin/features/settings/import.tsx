// Brings subscribers (a CSV table) and articles (WordPress) from another site: first a report, then the import.
import { Download, FolderInput, Upload } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { counted } from '../../../lib/plural'
import { call, fieldErrorsOf, reasonOf } from '../../api/client'
import { useItems } from '../../api/items-store'
import { Alert } from '../../auth/sign-in-form'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/fields/text-field'
import { words as panelWords } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'
import styles from './import.module.css'

const words = {
  title: 'Da un altro sito',
  text: 'Porta qui gli iscritti alla newsletter o gli articoli di WordPress. Prima vedi che cosa arriverebbe: finché non premi «Importa» non cambia nulla.',
  subscribers: 'Gli iscritti alla newsletter',
  subscribersText:
    'Un foglio salvato come .csv, con la colonna email. Chi ha una data in confirmed_at è già iscritto; agli altri chiedi tu la conferma, da Newsletter.',
  wordpress: 'Gli articoli di WordPress',
  wordpressText:
    'In WordPress: Strumenti, Esporta, Tutti i contenuti. Nel file le immagini non ci sono: le porta chi gestisce il server, con il suo comando.',
  choose: 'Scegli il file',
  reading: 'Lettura del file in corso...',
  importing: 'Importazione in corso...',
  unreadable: 'Il file non si può leggere.',
  proof: 'Da dove viene il consenso',
  proofHelp:
    'Per esempio: «Modulo di carta al seminario di maggio 2024». Resta accanto a ogni indirizzo.',
  action: 'Importa',
  pageTexts: 'Scarica i testi delle pagine',
  nothing: 'In questo file non c’è niente di nuovo.',
  imported: 'Importazione riuscita',
} as const

type State = 'idle' | 'reading' | 'importing'

type Subscribers = {
  readonly token: string
  readonly total: number
  readonly confirmed: number
  readonly known: number
}

type Articles = {
  readonly token: string
  readonly articles: number
  readonly existing: number
  readonly report: string
  readonly pageTexts: string
}

export function ImportCard() {
  return (
    <Card title={words.title}>
      <p className={areas.soft}>{words.text}</p>
      <SubscriberImport />
      <ArticleImport />
    </Card>
  )
}

/** Sends the chosen file; `report` is what the server read in it. */
function useInspection<Report extends { readonly token: string }>(path: string) {
  const [report, setReport] = useState<Report | null>(null)
  const [state, setState] = useState<State>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const inspect = async (file: File) => {
    setState('reading')
    setProblem(null)
    setReport(null)
    try {
      setReport(await call<Report>('POST', path, file))
    } catch (error) {
      setProblem(fieldErrorsOf(error).file ?? reasonOf(error) ?? words.unreadable)
    }
    setState('idle')
  }
  /** Resolves to null when the import was refused; `onFields` receives the refused fields. */
  const apply = async <Done,>(
    body: object,
    onFields: (problems: Readonly<Record<string, string>>) => void = () => undefined,
  ) => {
    if (report === null) return null
    setState('importing')
    setProblem(null)
    try {
      const done = await call<Done>('POST', '/api/admin/import', { ...body, token: report.token })
      setReport(null)
      toastDone(words.imported)
      setState('idle')
      return done
    } catch (error) {
      const fields = fieldErrorsOf(error)
      onFields(fields)
      if (fields.proof === undefined) setProblem(reasonOf(error) ?? panelWords.failed)
      setState('idle')
      return null
    }
  }
  return { report, state, problem, inspect, apply }
}

type FileButtonProps = {
  label: string
  accept: string
  busy: boolean
  onFile: (file: File) => void
}

function FileButton({ label, accept, busy, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={areas.buttons}>
      <Button
        tone="outline"
        icon={Upload}
        busy={busy}
        label={`${words.choose}: ${label}`}
        onClick={() => input.current?.click()}
      >
        {words.choose}
      </Button>
      <input
        ref={input}
        className={areas.file}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </div>
  )
}

type PartProps = {
  title: string
  text: string
  label: string
  accept: string
  state: State
  problem: string | null
  /** Result of the last import. */
  done: string | null
  onFile: (file: File) => void
  /** Report of the chosen file, and the button that imports it. */
  children: ComponentChildren
}

function ImportPart({ title, text, label, accept, state, problem, done, ...props }: PartProps) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <p className={areas.soft}>{text}</p>
      <FileButton label={label} accept={accept} busy={state === 'reading'} onFile={props.onFile} />
      {state === 'idle' ? null : (
        <p role="status">{state === 'reading' ? words.reading : words.importing}</p>
      )}
      {problem === null ? null : <Alert text={problem} />}
      {done === null ? null : <Outcome>{done}</Outcome>}
      {props.children}
    </section>
  )
}

/** The text of a report or a result, which takes the focus when it appears. */
function Outcome({ children }: { children: string }) {
  const element = useRef<HTMLPreElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <pre ref={element} className={styles.report} tabIndex={-1}>
      {children}
    </pre>
  )
}

function SubscriberImport() {
  const one = useInspection<Subscribers>('/api/admin/import/subscribers')
  const [proof, setProof] = useState('')
  const [proofProblem, setProofProblem] = useState<string | undefined>()
  const [done, setDone] = useState<string | null>(null)
  const { report } = one
  const go = async () => {
    const answer = await one.apply<{ subscribers: number; known: number }>(
      { kind: 'subscribers', proof },
      (fields) => setProofProblem(fields.proof),
    )
    if (answer === null) return
    setDone(
      [
        counted(
          answer.subscribers,
          '1 indirizzo nuovo.',
          '{n} indirizzi nuovi.',
          'Nessun indirizzo nuovo.',
        ),
        counted(
          answer.known,
          '1 c’era già, e resta com’era.',
          '{n} c’erano già, e restano com’erano.',
          '',
        ),
      ]
        .join(' ')
        .trim(),
    )
  }
  return (
    <ImportPart
      title={words.subscribers}
      text={words.subscribersText}
      label="File degli iscritti"
      accept=".csv,text/csv,text/plain"
      state={one.state}
      problem={one.problem}
      done={done}
      onFile={(file) => {
        setDone(null)
        void one.inspect(file)
      }}
    >
      {report === null ? null : (
        <form
          noValidate
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            setProofProblem(undefined)
            if (one.state === 'idle') void go()
          }}
        >
          <Outcome>{subscriberReport(report)}</Outcome>
          <TextField
            id="import-proof"
            label={words.proof}
            help={words.proofHelp}
            value={proof}
            problem={proofProblem}
            required
            onChange={setProof}
          />
          <div className={areas.buttons}>
            <Button submit icon={FolderInput} busy={one.state === 'importing'}>
              {words.action}
            </Button>
          </div>
        </form>
      )}
    </ImportPart>
  )
}

function subscriberReport({ total, confirmed, known }: Subscribers): string {
  return [
    counted(total, 'Nel file c’è 1 indirizzo.', 'Nel file ci sono {n} indirizzi.', words.nothing),
    counted(confirmed, '1 è già iscritto.', '{n} sono già iscritti.', ''),
    counted(total - confirmed, 'A 1 va chiesta la conferma.', 'A {n} va chiesta la conferma.', ''),
    counted(known, '1 qui c’è già: resta com’è.', '{n} qui ci sono già: restano come sono.', ''),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function ArticleImport() {
  const one = useInspection<Articles>('/api/admin/import/wordpress')
  const [done, setDone] = useState<string | null>(null)
  const { report } = one
  const go = async () => {
    const answer = await one.apply<{ report: string }>({ kind: 'wordpress' })
    if (answer === null) return
    useItems.getState().forgetAll()
    setDone(answer.report)
  }
  return (
    <ImportPart
      title={words.wordpress}
      text={words.wordpressText}
      label="File esportato da WordPress"
      accept=".xml,text/xml,application/xml"
      state={one.state}
      problem={one.problem}
      done={done}
      onFile={(file) => {
        setDone(null)
        void one.inspect(file)
      }}
    >
      {report === null ? null : (
        <>
          <Outcome>{articleReport(report)}</Outcome>
          <div className={areas.buttons}>
            <Button
              icon={FolderInput}
              busy={one.state === 'importing'}
              disabled={report.articles === 0}
              onClick={() => void go()}
            >
              {words.action}
            </Button>
            {report.pageTexts === '' ? null : (
              <Button tone="outline" icon={Download} onClick={() => saveText(report.pageTexts)}>
                {words.pageTexts}
              </Button>
            )}
          </div>
        </>
      )}
    </ImportPart>
  )
}

function articleReport({ articles, existing, report }: Articles): string {
  const lines = [
    articles === 0 ? words.nothing : '',
    counted(
      existing,
      '1 articolo qui c’è già: resta com’è.',
      '{n} articoli qui ci sono già: restano come sono.',
      '',
    ),
  ]
  return [...lines.filter((line) => line !== ''), report].join('\n')
}

function saveText(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = 'testi-delle-pagine.txt'
  link.click()
  // Safari reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
