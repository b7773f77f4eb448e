// Shows the sentences that still contain a former price, duration or name, before they are published.
import { useContext } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { kindLabels } from '../../../api/kind-labels'
import { kindSpecs, titleOf } from '../../../api/schema'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { words } from '../../../ui/messages'
import { fullNameOf, type StaleRequest } from '../api/use-publishing'
import { type StaleMention, sentencesOf } from '../lint/stale-mentions'
import { wording } from '../messages'
import { ChipReactContext } from '../model/use-chip-context'
import list from './draft-list.module.css'
import styles from './stale-mentions-dialog.module.css'

const { stale: own } = wording.amount
const SHOWN_MAX = 10

export function StaleMentionsDialog({ asked }: { asked: StaleRequest | null }) {
  const known = useContext(ChipReactContext)
  if (asked === null) return null
  const { mentions, answer } = asked
  const sentences = sentencesOf(mentions, known)
  const hidden = sentences.length - SHOWN_MAX
  const what = own.what[kindOf(mentions)]
  const canFix = mentions.some(({ fix }) => fix !== null)
  const footer = (
    <>
      <Button tone="outline" onClick={() => answer('keep')}>
        {own.keep}
      </Button>
      {canFix ? (
        <Button onClick={() => answer('fix')}>
          {counted(sentences.length, own.fixOne, own.fixAll)}
        </Button>
      ) : null}
    </>
  )
  return (
    <Dialog
      title={fill(counted(sentences.length, own.titleOne, own.title), { what })}
      onClose={() => answer('cancel')}
      footer={footer}
      alert
    >
      <ul className={list.list}>
        {sentences.slice(0, SHOWN_MAX).map(({ mention, before, stale, after }) => (
          <li key={`${mention.place}:${mention.part}:${mention.from}`}>
            <div className={styles.sentence}>
              <b>{nameOfMention(mention)}</b>
              <p>
                {before}
                <del>{stale}</del>
                {mention.fix === null ? null : (
                  <>
                    {' '}
                    <ins>{mention.fix}</ins>
                  </>
                )}
                {after}
              </p>
              {mention.fix === null ? <small>{own.byHand}</small> : null}
            </div>
          </li>
        ))}
      </ul>
      {hidden > 0 ? <p className={list.soft}>{counted(hidden, own.moreOne, own.more)}</p> : null}
    </Dialog>
  )
}

/** `Contatti, Domande, Risposta` or `Eventi, Respiro d’inverno, Descrizione breve`. */
function nameOfMention({ source, place }: StaleMention): string {
  if ('block' in source) return fullNameOf(place)
  const { kind, item, field } = source
  const label = kindSpecs[kind].fields[field]?.label ?? field
  return [kindLabels[kind].label, titleOf(item, words.untitled), label].join(', ')
}

function kindOf(mentions: readonly StaleMention[]): keyof typeof own.what {
  const [first] = mentions
  const isOne = mentions.every(({ kind }) => kind === first?.kind)
  return isOne && first !== undefined ? first.kind : 'several'
}
