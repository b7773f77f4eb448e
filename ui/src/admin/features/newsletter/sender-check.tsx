// SPF, DKIM and DMARC of the site's sender: what is right, and the line to give to the provider. Name
// servers are asked only on a press.
import { CircleAlert, CircleCheck, Copy, MailCheck, Send } from 'lucide'
import { useState } from 'preact/hooks'
import { fill } from '../../../lib/interpolate'
import { Icon } from '../../../primitives/icon'
import { call, fieldErrorsOf, reasonOf } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useSession } from '../../auth/session-store'
import { Alert } from '../../auth/sign-in-form'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { TextareaField } from '../../ui/fields/textarea-field'
import { words as panelWords } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { toastDone, toastFailed } from '../../ui/toast-store'
import styles from './sender-check.module.css'

type State = 'good' | 'likely' | 'missing' | 'wrong' | 'untested' | 'unknown'

type Check = {
  readonly state: State
  readonly found: string | null
  readonly wanted: { readonly name: string; readonly value: string } | null
}

type Report = {
  readonly domain: string
  readonly spf: Check
  readonly dkim: Check
  readonly dmarc: Check
}

type Name = 'spf' | 'dkim' | 'dmarc'
const NAMES: readonly Name[] = ['spf', 'dkim', 'dmarc']

const words = {
  title: 'La posta del sito arriva?',
  text: 'Le caselle si fidano di un’e-mail se il dominio dice chi può spedirla (SPF), se è firmata (DKIM) e se dice che cosa fare delle altre (DMARC). Il sito lo chiede fuori solo quando premi.',
  check: 'Controlla',
  letterTitle: 'Con una lettera di prova',
  letterText: (email: string) =>
    `La firma si vede solo in una lettera arrivata. Manda la prova a ${email}, aprila, scegli «Mostra originale» o «Visualizza sorgente», copia tutto e incollalo qui. Il testo della lettera resta nel tuo browser: partono solo le righe sopra.`,
  send: 'Manda la lettera di prova',
  sent: (email: string) => `Prova inviata a ${email}`,
  sendFailed: 'La prova non è partita',
  letter: 'La lettera, tutta',
  read: 'Leggi la lettera',
  copy: 'Copia',
  copied: 'Riga copiata',
  names: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' },
  provider: 'Dai questa riga a chi gestisce il dominio: è di tipo TXT.',
  recordName: 'Nome',
  recordValue: 'Valore',
  found: 'Oggi c’è:',
  states: {
    good: 'A posto',
    likely: 'Da provare',
    missing: 'Manca',
    wrong: 'Da correggere',
    untested: 'Da provare',
    unknown: 'Non si sa',
  },
  spf: {
    good: 'Il dominio dice che il tuo server di posta può spedire.',
    likely:
      'Una riga c’è, ma non nomina il tuo server di posta. Con la lettera di prova si vede se basta.',
    missing: 'Il dominio non dice chi può spedire.',
    wrong: 'La riga che c’è non va: chi riceve non riconosce il tuo server di posta.',
    untested: '',
    unknown: 'Adesso non si riesce a sapere. Riprova più tardi.',
  },
  dkim: {
    good: 'La lettera era firmata dal tuo dominio, e la firma era giusta.',
    likely: '',
    missing:
      'La lettera non era firmata. Chiedi al fornitore di posta di accendere DKIM per {domain}: ti dà lui una riga da aggiungere al dominio.',
    wrong:
      'La firma non è quella di {domain}. Chiedi al fornitore di posta di accendere DKIM per {domain}: ti dà lui una riga da aggiungere al dominio.',
    untested: 'Serve la lettera di prova, qui sotto.',
    unknown: '',
  },
  dmarc: {
    good: 'Il dominio dice che cosa fare di chi spedisce al posto tuo.',
    likely: '',
    missing: 'Il dominio non lo dice.',
    wrong: 'La riga che c’è non dice che cosa fare.',
    untested: '',
    unknown: 'Adesso non si riesce a sapere. Riprova più tardi.',
  },
} as const

const PATH = '/api/admin/sender-check'
/** Longer than a test letter in any mailbox. */
const LETTER_CHARACTERS_MAX = 200_000

export function SenderCheckCard() {
  const email = useSession((store) => store.session?.email ?? '')
  const [report, setReport] = useState<Report | null>(null)
  const [busy, setBusy] = useState<'check' | 'send' | 'read' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [letter, setLetter] = useState('')
  const [letterProblem, setLetterProblem] = useState<string | undefined>()

  const check = async (source: string | null) => {
    setBusy(source === null ? 'check' : 'read')
    setProblem(null)
    setLetterProblem(undefined)
    try {
      setReport(await call<Report>('POST', PATH, { letter: source }))
    } catch (error) {
      const refused = fieldErrorsOf(error).letter
      if (refused === undefined) setProblem(reasonOf(error) ?? panelWords.failed)
      else setLetterProblem(refused)
    }
    setBusy(null)
  }
  const send = async () => {
    setBusy('send')
    try {
      const answer = await call<{ sent: boolean; reason: string | null }>(
        'POST',
        '/api/admin/notices/test',
      )
      if (answer.sent) toastDone(words.sent(email))
      else toastFailed(words.sendFailed, answer.reason)
    } catch (error) {
      toastFailed(words.sendFailed, reasonOf(error))
    }
    setBusy(null)
  }
  return (
    <Card title={words.title}>
      <p className={areas.soft}>{words.text}</p>
      <div className={areas.buttons}>
        <Button icon={MailCheck} busy={busy === 'check'} onClick={() => void check(null)}>
          {words.check}
        </Button>
      </div>
      {problem === null ? null : <Alert text={problem} />}
      {report === null ? null : (
        <ul className={styles.checks} aria-live="polite">
          {NAMES.map((name) => (
            <CheckRow key={name} name={name} report={report} />
          ))}
        </ul>
      )}
      {report === null ? null : (
        <form
          noValidate
          className={styles.letter}
          onSubmit={(event) => {
            event.preventDefault()
            if (busy === null) void check(headersOf(letter))
          }}
        >
          <h3>{words.letterTitle}</h3>
          <p className={areas.soft}>{words.letterText(email)}</p>
          <div className={areas.buttons}>
            <Button tone="outline" icon={Send} busy={busy === 'send'} onClick={() => void send()}>
              {words.send}
            </Button>
          </div>
          <TextareaField
            id="sender-letter"
            label={words.letter}
            value={letter}
            problem={letterProblem}
            unmarked
            max={LETTER_CHARACTERS_MAX}
            onChange={setLetter}
          />
          <div className={areas.buttons}>
            <Button submit tone="outline" busy={busy === 'read'}>
              {words.read}
            </Button>
          </div>
        </form>
      )}
    </Card>
  )
}

function CheckRow({ name, report }: { name: Name; report: Report }) {
  const { state, found, wanted } = report[name]
  const isGood = state === 'good'
  return (
    <li>
      <h3>
        <Icon of={isGood ? CircleCheck : CircleAlert} size={22} />
        {words.names[name]}{' '}
        <Badge tone={isGood ? 'good' : state === 'missing' || state === 'wrong' ? 'bad' : 'look'}>
          {words.states[state]}
        </Badge>
      </h3>
      <p>{fill(words[name][state], { domain: report.domain })}</p>
      {found === null || isGood ? null : (
        <p>
          {words.found} <code>{found}</code>
        </p>
      )}
      {wanted === null ? null : <RecordLine name={wanted.name} value={wanted.value} />}
    </li>
  )
}

function RecordLine({ name, value }: { name: string; value: string }) {
  const copy = async () => {
    const text = `${name} TXT "${value}"`
    const done = await attempt(panelWords.toasts.update, () => navigator.clipboard.writeText(text))
    if (done) toastDone(words.copied)
  }
  return (
    <div className={styles.record}>
      <p>{words.provider}</p>
      <dl>
        <dt>{words.recordName}</dt>
        <dd>
          <code>{name}</code>
        </dd>
        <dt>{words.recordValue}</dt>
        <dd>
          <code>{value}</code>
        </dd>
      </dl>
      <Button tone="outline" small icon={Copy} onClick={() => void copy()}>
        {words.copy}
      </Button>
    </div>
  )
}

/** The lines above the text of a letter: the server reads no more. */
function headersOf(source: string): string {
  return source.trimStart().split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? ''
}
