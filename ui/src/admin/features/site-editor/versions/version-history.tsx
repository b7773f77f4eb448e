// Version history of a block: compares each version with the published one, and restores it.
import { RotateCcw } from 'lucide'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { versionsMax } from '../../../../kinds/lazy-constants.gen'
import { withArticle } from '../../../../lib/date-article'
import { fill } from '../../../../lib/interpolate'
import { dayText } from '../../../../lib/panel-date-format'
import hidden from '../../../../primitives/hidden.module.css'
import { isStatus, reasonOf } from '../../../api/client'
import { useLoad } from '../../../api/use-load'
import { useSession } from '../../../auth/session-store'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import marked from '../../../ui/marked-changes.module.css'
import { words } from '../../../ui/messages'
import { WhenLoaded } from '../../../ui/page-layout'
import segmented from '../../../ui/segmented-control.module.css'
import { toastDone, toastFailed, toastProof } from '../../../ui/toast-store'
import type { Block, ObjectValue, Version, VersionsAnswer } from '../api/content-api'
import { blockPath, restoreVersion, versionsPath, writeBlocks } from '../api/content-api'
import { storeRestored } from '../api/publish'
import { reportChangedSince } from '../api/use-publishing'
import { wording } from '../messages'
import type { SitePage } from '../model/editable-pages'
import { edit, putBlocks, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { formatVersionTimes } from './format-version-time'
import { VersionDiff, WholeText } from './version-diff'
import { summaryOf, textsOf } from './version-field-texts'
import styles from './version-history.module.css'

const { versions: own } = wording

type VersionsProps = { block: Block; page: SitePage; known: ChipContext; onClose: () => void }

export function VersionHistory({ block, page, known, onClose }: VersionsProps) {
  const data = useLoad<VersionsAnswer>(versionsPath(block.id))
  // Another tab may have published since the page was opened.
  const fresh = useLoad<Block>(blockPath(block.id))
  useEffect(() => {
    if (fresh.value !== null) putBlocks([fresh.value])
  }, [fresh.value])
  const again = async () => {
    await Promise.all([fresh.reload(), data.reload()])
  }
  return (
    <Dialog
      title={own.title}
      size="wide"
      onClose={onClose}
      aside={<p>{fill(own.of, { page: page.label, block: block.label })}</p>}
    >
      {data.value === null && data.error === null ? (
        <Skeleton />
      ) : (
        <WhenLoaded data={data}>
          {(answer) => (
            <Chosen
              block={block}
              page={page}
              known={known}
              versions={answer.versions}
              onStale={again}
              onDone={onClose}
            />
          )}
        </WhenLoaded>
      )}
    </Dialog>
  )
}

/** In the layout of the list and the comparison, which takes its place without a jump. */
function Skeleton() {
  return (
    <div className={`${styles.lay} ${styles.skeleton}`} role="status">
      <span className={hidden.hidden}>{words.loading}</span>
      {[3, 6].map((lines) => (
        <div key={lines} aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => (
            <i key={`${lines}-${line}`} />
          ))}
        </div>
      ))}
    </div>
  )
}

type ChosenProps = {
  block: Block
  page: SitePage
  known: ChipContext
  versions: readonly Version[]
  onStale: () => Promise<void>
  onDone: () => void
}

/** The default text, always the last item of the list. */
const ORIGINAL = 'original'

function Chosen({ block, page, known, versions, onStale, onDone }: ChosenProps) {
  const former = versions.filter(({ version }) => version !== block.version)
  const [picked, setName] = useState<string | null>(null)
  const [way, setWay] = useState<Way>('differences')
  const [first] = former
  const version =
    picked === ORIGINAL ? undefined : (former.find((one) => one.version === picked) ?? first)
  const name = version?.version ?? ORIGINAL
  const value = version?.value ?? block.default
  const isHidden = version?.hidden ?? block.hidden
  const { updatedAt } = block
  const times = formatVersionTimes([updatedAt ?? [], former.map(({ savedAt }) => savedAt)].flat(2))
  if (former.length === 0 && !block.changed) {
    return (
      <div className={styles.empty}>
        <h3>{own.empty.title}</h3>
        <p>{own.empty.text}</p>
      </div>
    )
  }
  return (
    <div className={styles.lay}>
      <List {...{ block, versions, former, known, name, times }} onChoose={setName} />
      <section className={`${styles.diff} ${marked.changes}`}>
        <div className={styles.head}>
          <h3>{version === undefined ? own.original : times.get(version.savedAt)}</h3>
          <Ways way={way} onWay={setWay} />
        </div>
        {way === 'whole' ? (
          <WholeText {...{ block, value, isHidden, known }} />
        ) : (
          <>
            <p className={styles.soft}>{own.compare}</p>
            <p className={styles.legend}>
              <ins>{own.comesBack}</ins> <del>{own.goesAway}</del>
            </p>
            <VersionDiff {...{ block, value, isHidden, known }} />
          </>
        )}
        <Actions
          block={block}
          page={page}
          version={version}
          value={value}
          onStale={async () => {
            // Keep the selection while the list reloads: the next click must restore the same version.
            setName(name)
            await onStale()
          }}
          onDone={onDone}
        />
      </section>
    </div>
  )
}

const WAYS = ['differences', 'whole'] as const
type Way = (typeof WAYS)[number]

function Ways({ way, onWay }: { way: Way; onWay: (way: Way) => void }) {
  const name = useId()
  return (
    <fieldset className={segmented.control} aria-label={own.show}>
      {WAYS.map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === way} onChange={() => onWay(one)} />
          {own[one]}
        </label>
      ))}
    </fieldset>
  )
}

type ListProps = Pick<ChosenProps, 'block' | 'known' | 'versions'> & {
  former: readonly Version[]
  name: string
  times: ReadonlyMap<string, string>
  onChoose: (name: string) => void
}

function List({ block, known, versions, former, name, times, onChoose }: ListProps) {
  const { updatedAt } = block
  const current = versions.find(({ version }) => version === block.version)
  const summaries = useMemo(() => summariesOf(block, versions, known), [block, versions, known])
  return (
    <nav className={styles.list} aria-label={own.list}>
      <ol>
        <li className={styles.now}>
          <b>{updatedAt === null ? own.original : times.get(updatedAt)}</b>{' '}
          <Badge tone="good">{own.now}</Badge>
          {current === undefined ? null : (
            <Who account={current.account} summary={summaries.get(block.version) ?? ''} />
          )}
        </li>
        {former.map((one) => (
          <li key={one.version}>
            <Choice isChosen={one.version === name} onChoose={() => onChoose(one.version)}>
              <b>{times.get(one.savedAt)}</b>
              <Who account={one.account} summary={summaries.get(one.version) ?? ''} />
            </Choice>
          </li>
        ))}
        <li>
          <Choice isChosen={name === ORIGINAL} onChoose={() => onChoose(ORIGINAL)}>
            <b>{own.original}</b>
            <small>{own.originalText}</small>
          </Choice>
        </li>
      </ol>
      <p className={styles.soft}>{own.keep}</p>
    </nav>
  )
}

type ChoiceProps = {
  isChosen: boolean
  onChoose: () => void
  children: preact.ComponentChildren
}

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  )
}

function Who({ account, summary }: { account: string | null; summary: string }) {
  const email = useSession((store) => store.session?.email ?? '')
  const name = account === null || account === email ? own.you : account
  return <small>{[name, summary].filter(Boolean).join(' · ')}</small>
}

function summariesOf(
  block: Block,
  versions: readonly Version[],
  known: ChipContext,
): ReadonlyMap<string, string> {
  const texts = versions.map(({ value, hidden }) =>
    textsOf(block, value ?? block.default, hidden, known),
  )
  return new Map(
    versions.map(({ version }, index) => {
      const [now, before] = [texts[index], texts[index + 1]]
      if (now !== undefined && before !== undefined) return [version, summaryOf(now, before)]
      // The oldest version of a full list had predecessors, which are deleted by now.
      return [version, versions.length < versionsMax ? own.summary.published : '']
    }),
  )
}

type ActionsProps = {
  block: Block
  page: SitePage
  version: Version | undefined
  value: ObjectValue
  onStale: () => Promise<void>
  onDone: () => void
}

function Actions({ block, page, version, value, onStale, onDone }: ActionsProps) {
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      const before = block
      const now =
        version === undefined ? await reset(block) : await restoreVersion(block, version.version)
      storeRestored(before, now)
      const said =
        version === undefined
          ? wording.field.originalDone
          : fill(own.restored, { date: withArticle('del', dayText(version.savedAt)) })
      const { label, pattern } = page
      const isOnSite = !pattern.includes('{')
      toastProof({
        title: said,
        // The page keeps showing the draft.
        detail: block.id in usePages.getState().drafts ? own.restoreWithDraft : null,
        ...(isOnSite ? { links: [{ label: fill(own.look, { page: label }), href: pattern }] } : {}),
        undo: () => void goBack(before, now),
      })
      onDone()
    } catch (error) {
      if (isStatus(error, 412)) {
        await onStale()
        toastFailed(wording.conflict.again, null)
      } else toastFailed(wording.refusals.server, reasonOf(error))
      setBusy(false)
    }
  }
  const copy = () => {
    // The default text has no visibility of its own.
    const rest = version === undefined ? {} : { hidden: version.hidden }
    edit({ block: block.id, path: '', what: own.copy, value, ...rest })
    toastDone(own.copied)
    onDone()
  }
  return (
    <div className={styles.actions}>
      <Button icon={RotateCcw} busy={busy} onClick={() => void restore()}>
        {own.restore}
      </Button>
      <Button tone="quiet" onClick={copy}>
        {own.copy}
      </Button>
    </div>
  )
}

/** Resets the text only; a hidden block stays hidden. */
async function reset({ id, version }: Block): Promise<Block> {
  const [block] = await writeBlocks({ [id]: { value: null, version } })
  if (block === undefined) throw new Error('no block came back')
  return block
}

async function goBack(before: Block, now: Block): Promise<void> {
  try {
    const { id, value, hidden: isHidden, changed } = before
    const change = { value: changed ? value : null, hidden: isHidden, version: now.version }
    for (const fresh of await writeBlocks({ [id]: change })) storeRestored(now, fresh)
    toastDone(fill(wording.live.undone, { what: own.restore }))
  } catch (error) {
    if (isStatus(error, 412)) reportChangedSince(before)
    else toastFailed(wording.refusals.server, reasonOf(error))
  }
}
