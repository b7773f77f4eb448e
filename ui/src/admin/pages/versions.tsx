// What a block was: each version against what is on the site now, and one press to go back.
import { RotateCcw } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { isStatus, reasonOf } from '../api'
import { WhenLoaded } from '../areas/area'
import { Badge } from '../parts/badge'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { useSession } from '../session-store'
import { toastDone, toastFailed } from '../toast-store'
import { useLoad } from '../use-load'
import { dayText, momentText } from '../when'
import type { Block, Group, Version } from './contract'
import { blockPath, restoreVersion, writeBlocks } from './contract'
import { Differences } from './differences'
import { edit, putBlocks } from './pages-store'
import type { SitePage } from './site-pages'
import type { Known } from './text-parts'
import styles from './versions.module.css'
import { fill, wording } from './wording'

const { versions: own } = wording

type VersionsProps = { block: Block; page: SitePage; known: Known; onClose: () => void }
type Answer = { readonly versions: readonly Version[] }

export function Versions({ block, page, known, onClose }: VersionsProps) {
  const data = useLoad<Answer>(`${blockPath(block.id)}/versions`)
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
      <WhenLoaded data={data}>
        {(answer) => (
          <Chosen
            block={block}
            known={known}
            versions={answer.versions}
            onStale={again}
            onDone={onClose}
          />
        )}
      </WhenLoaded>
    </Dialog>
  )
}

type ChosenProps = {
  block: Block
  known: Known
  versions: readonly Version[]
  onStale: () => Promise<void>
  onDone: () => void
}

/** The text that came with the site is always the last of the list. */
const ORIGINAL = 'original'

function Chosen({ block, known, versions, onStale, onDone }: ChosenProps) {
  const former = versions.filter(({ version }) => version !== block.version)
  const [picked, setName] = useState<string | null>(null)
  const [first] = former
  const version =
    picked === ORIGINAL ? undefined : (former.find((one) => one.version === picked) ?? first)
  const name = version?.version ?? ORIGINAL
  const value = version?.value ?? block.default
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
      <nav className={styles.list} aria-label={own.list}>
        <ol>
          <li className={styles.now}>
            <b>{block.updatedAt === null ? own.original : momentText(block.updatedAt)}</b>{' '}
            <Badge tone="good">{own.now}</Badge>
          </li>
          {former.map((one) => (
            <li key={one.version}>
              <Choice isChosen={one.version === name} onChoose={() => setName(one.version)}>
                <b>{momentText(one.savedAt)}</b>
                <Who account={one.account} />
              </Choice>
            </li>
          ))}
          <li>
            <Choice isChosen={name === ORIGINAL} onChoose={() => setName(ORIGINAL)}>
              <b>{own.original}</b>
              <small>{own.originalText}</small>
            </Choice>
          </li>
        </ol>
        <p className={styles.soft}>{own.keep}</p>
      </nav>
      <section className={styles.diff}>
        <h3>{version === undefined ? own.original : momentText(version.savedAt)}</h3>
        <p className={styles.soft}>{own.compare}</p>
        <p className={styles.legend}>
          <ins>{own.comesBack}</ins> <del>{own.goesAway}</del>
        </p>
        <Differences
          block={block}
          value={value}
          isHidden={version?.hidden ?? block.hidden}
          known={known}
        />
        <Actions
          block={block}
          version={version}
          value={value}
          onStale={async () => {
            // What she was about to press again is not another one.
            setName(name)
            await onStale()
          }}
          onDone={onDone}
        />
      </section>
    </div>
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

function Who({ account }: { account: string | null }) {
  const email = useSession((store) => store.session?.email ?? '')
  return <small>{account === null || account === email ? own.you : account}</small>
}

type ActionsProps = {
  block: Block
  version: Version | undefined
  value: Group
  onStale: () => Promise<void>
  onDone: () => void
}

function Actions({ block, version, value, onStale, onDone }: ActionsProps) {
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      const before = block
      const now =
        version === undefined ? await reset(block) : await restoreVersion(block, version.version)
      putBlocks([now])
      const said =
        version === undefined
          ? wording.field.originalDone
          : fill(own.restored, { date: dayText(version.savedAt) })
      toastDone(said, () => void goBack(before, now))
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
    edit({ block: block.id, path: '', what: own.copy, value })
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

/** Its words alone: one that is hidden is hidden for what it says. */
async function reset({ id, version }: Block): Promise<Block> {
  const [block] = await writeBlocks({ [id]: { value: null, version } })
  if (block === undefined) throw new Error('no block came back')
  return block
}

async function goBack(before: Block, now: Block): Promise<void> {
  try {
    const { id, value, hidden: isHidden, changed } = before
    const change = { value: changed ? value : null, hidden: isHidden, version: now.version }
    putBlocks(await writeBlocks({ [id]: change }))
    toastDone(fill(wording.live.undone, { what: own.restore }))
  } catch (error) {
    toastFailed(wording.editor.publish.undoFailed, reasonOf(error))
  }
}
