// The data of one person: what is stored, as a file, and its erasure.
import { Download, Search, Trash2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { dayText } from '../../../lib/panel-date-format'
import { counted } from '../../../lib/plural'
import { call, fieldErrorsOf, reasonOf } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { kindLabels } from '../../api/kind-labels'
import { type Item, type Kind, titleOf } from '../../api/schema'
import { Button, ButtonLink } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { TextField } from '../../ui/fields/text-field'
import { words as panelWords } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { toastDone, toastFailed } from '../../ui/toast-store'
import styles from './person.module.css'

type Query = { readonly email: string; readonly name: string }

/** For how many days backups keep what was erased; null for a kind that is off. */
type Copies = { readonly dailyDays: number | null; readonly offsiteDays: number | null }

type FoundItem = {
  readonly kind: Kind
  readonly deletedAt: string | null
  readonly isOwn: boolean
  readonly isErasable: boolean
  readonly item: Item
}

type Person = Query & {
  readonly newsletter: { readonly createdAt: string } | null
  readonly isQueued: boolean
  readonly deliveries: readonly object[]
  readonly items: readonly FoundItem[]
  readonly invitations: readonly object[]
  readonly blocks: readonly { readonly id: string; readonly label: string }[]
  readonly formerVersions: number
  readonly drafts: readonly object[]
  readonly copies: Copies
}

const words = {
  title: 'Una persona',
  text: 'Se una persona ti chiede quali suoi dati conservi, o di cancellarli, cercala qui.',
  searchFailed: 'La ricerca non è riuscita',
  nobody: 'Non c’è niente con questo indirizzo o questo nome.',
  export: 'Scarica tutto in un file',
  erase: 'Cancella tutto',
  erased: 'Dati cancellati',
  erasedText: 'Anche se ripristini una copia di prima, restano cancellati.',
  texts:
    'Il testo di oggi ne parla: non si cancella da solo, cambialo tu nella pagina. Le versioni di prima si cancellano.',
} as const

export function PersonCard() {
  const [query, setQuery] = useState<Query>({ email: '', name: '' })
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [person, setPerson] = useState<Person | null>(null)
  const [busy, setBusy] = useState(false)

  const search = async () => {
    setBusy(true)
    setProblems({})
    try {
      setPerson(await call<Person>('POST', '/api/admin/person', query))
    } catch (error) {
      setPerson(null)
      const fields = fieldErrorsOf(error)
      setProblems(fields)
      if (Object.keys(fields).length === 0) {
        toastFailed(words.searchFailed, reasonOf(error))
      }
    }
    setBusy(false)
  }
  const field = (name: keyof Query) => ({
    id: `person-${name}`,
    value: query[name],
    problem: problems[name],
    unmarked: true,
    onChange: (text: string) => setQuery({ ...query, [name]: text }),
  })
  return (
    <Card title={words.title}>
      <p className={areas.soft}>{words.text}</p>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void search()
        }}
      >
        <TextField {...field('email')} label="Indirizzo e-mail" type="email" />
        <TextField
          {...field('name')}
          label="Nome"
          help="Come è scritto nella testimonianza o nel ringraziamento."
        />
        <div className={areas.buttons}>
          <Button submit tone="outline" icon={Search} busy={busy}>
            Cerca
          </Button>
        </div>
      </form>
      {person === null ? null : (
        <Found
          key={`${person.email}\n${person.name}`}
          person={person}
          onErased={() => setPerson(null)}
        />
      )}
    </Card>
  )
}

function Found({ person, onErased }: { person: Person; onErased: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const own = person.items.filter((one) => one.isErasable && one.isOwn)
  const [chosen, setChosen] = useState<readonly string[]>(own.map(({ item }) => item.id))
  const [asks, setAsks] = useState(false)
  const lines = summaryOf(person)
  const isEmpty = lines.length === 0 && person.items.length === 0 && person.blocks.length === 0
  const erase = async () => {
    const { email, name } = person
    const body = { email, name, items: chosen }
    const done = await attempt(panelWords.toasts.remove, () =>
      call('POST', '/api/admin/person/erase', body),
    )
    setAsks(false)
    if (!done) return
    toastDone(words.erased)
    onErased()
  }
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <div className={styles.found}>
      <h3 ref={heading} tabIndex={-1}>
        {[person.email, person.name].filter((text) => text !== '').join(', ')}
      </h3>
      {isEmpty ? <p>{words.nobody}</p> : null}
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <FoundItems person={person} chosen={chosen} onToggle={toggle} />
      {person.blocks.length === 0 ? null : (
        <>
          <p>{words.texts}</p>
          <ul>
            {person.blocks.map(({ id, label }) => (
              <li key={id}>{label}</li>
            ))}
          </ul>
        </>
      )}
      {isEmpty ? null : (
        <div className={areas.buttons}>
          <ButtonLink href={fileOf(person)} icon={Download} download="dati-di-una-persona.json">
            {words.export}
          </ButtonLink>
          <Button tone="danger" icon={Trash2} onClick={() => setAsks(true)}>
            {words.erase}
          </Button>
        </div>
      )}
      {asks ? (
        <Confirm
          question="Cancellare tutto di questa persona?"
          confirm={words.erase}
          onConfirm={erase}
          onClose={() => setAsks(false)}
        >
          {[...lines, chosenText(chosen.length), ...copyLines(person.copies), words.erasedText]
            .filter((line) => line !== '')
            .map((line) => (
              <p key={line}>{line}</p>
            ))}
        </Confirm>
      ) : null}
    </div>
  )
}

type FoundItemsProps = {
  person: Person
  chosen: readonly string[]
  onToggle: (id: string) => void
}

function FoundItems({ person, chosen, onToggle }: FoundItemsProps) {
  if (person.items.length === 0) return null
  return (
    <fieldset className={styles.items}>
      <legend>Il nome o l’indirizzo sta qui: scegli che cosa cancellare</legend>
      {person.items.map(({ kind, item, deletedAt, isErasable }) => (
        <label key={item.id}>
          <input
            type="checkbox"
            checked={chosen.includes(item.id)}
            disabled={!isErasable}
            onChange={() => onToggle(item.id)}
          />
          <span>
            {titleOf(item, 'Senza titolo')}
            <small>
              {[
                kindLabels[kind].label,
                deletedAt === null ? '' : 'nel cestino',
                isErasable ? '' : 'si elimina dalla sua lista',
              ]
                .filter((text) => text !== '')
                .join(' · ')}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** What is erased whatever is chosen. */
function summaryOf(person: Person): readonly string[] {
  const { newsletter, isQueued, deliveries, invitations, formerVersions, drafts } = person
  const lines = [
    newsletter === null
      ? ''
      : `È nell’elenco della newsletter, con la prova del consenso, ${withArticle('dal', dayText(newsletter.createdAt))}.`,
    isQueued ? 'Un messaggio a questo indirizzo sta per partire.' : '',
    counted(
      deliveries.length,
      'C’è una newsletter in coda o non consegnata.',
      'Ci sono {n} newsletter in coda o non consegnate.',
      '',
    ),
    counted(
      invitations.length,
      'C’è un invito a scrivere una testimonianza.',
      'Ci sono {n} inviti a scrivere una testimonianza.',
      '',
    ),
    counted(
      formerVersions,
      'C’è una versione di prima di un testo che ne parla.',
      'Ci sono {n} versioni di prima dei testi che ne parlano.',
      '',
    ),
    counted(
      drafts.length,
      'C’è una bozza mai pubblicata che ne parla.',
      'Ci sono {n} bozze mai pubblicate che ne parlano.',
      '',
    ),
  ]
  return lines.filter((line) => line !== '')
}

function chosenText(count: number): string {
  return counted(
    count,
    'Si elimina per sempre un contenuto.',
    'Si eliminano per sempre {n} contenuti.',
    '',
  )
}

/** What stays in backups, and until when. */
function copyLines({ dailyDays, offsiteDays }: Copies): readonly string[] {
  const until = (days: number) =>
    withArticle('al', dayText(new Date(Date.now() + days * 86_400_000).toISOString()))
  return [
    dailyDays === null ? '' : `Nelle copie di ogni giorno resta fino ${until(dailyDays)} circa.`,
    offsiteDays === null
      ? ''
      : `Nelle copie fuori dal server resta al più fino ${until(offsiteDays)}.`,
    'Nelle copie che hai scaricato tu resta finché non le elimini.',
  ]
}

function fileOf(person: Person): string {
  const text = JSON.stringify(person, null, 2)
  return `data:application/json;charset=utf-8,${encodeURIComponent(text)}`
}
