// Crops and turns a picture. The original stays: what is sent is the frame and the quarter turns.

import { RotateCcw, RotateCw, Undo2 } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { fill } from '../../../lib/interpolate'
import { reasonOf } from '../../api/client'
import {
  editPicture,
  getPicture,
  type PictureEdit,
  type PictureUse,
  type Rectangle,
  type StoredPicture,
} from '../../api/pictures'
import type { Ratio, RatiosOf } from '../../hooks/picture-dialogs'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { words } from '../../ui/messages'
import segmented from '../../ui/segmented-control.module.css'
import { toastFailed } from '../../ui/toast-store'
import { CropFrame } from './crop-frame'
import { fitRatio, fromParts, isSameEdit, toParts, turn, WHOLE } from './crop-rectangle'
import { pictureDialogMessages } from './messages'
import styles from './picture-editor.module.css'
import { PictureUses } from './picture-uses'

const own = pictureDialogMessages.edit
const NO_EDIT: PictureEdit = { turns: 0, crop: null }

type EditorProps = {
  path: string
  ratiosOf: RatiosOf
  onAnswer: (path: string | null) => void
}

export function PictureEditor({ path, ratiosOf, onAnswer }: EditorProps) {
  const { opened, error, retry } = useOpened(path)
  const next = useRef<PictureEdit>(NO_EDIT)
  const { isBusy, apply } = useApply(path, onAnswer)
  const footer = (
    <>
      <Button tone="outline" onClick={() => onAnswer(null)}>
        {own.keep}
      </Button>
      <Button
        busy={isBusy}
        disabled={opened === null}
        onClick={() => {
          if (opened !== null) void apply(opened.edit, next.current)
        }}
      >
        {isBusy ? own.applying : own.apply}
      </Button>
    </>
  )
  return (
    <Dialog title={own.title} size="large" onClose={() => onAnswer(null)} footer={footer}>
      {opened !== null ? (
        <OpenEditor
          opened={opened}
          ratiosOf={ratiosOf}
          onChange={(edit) => {
            next.current = edit
          }}
        />
      ) : error === null ? (
        <p role="status">{own.loading}</p>
      ) : (
        <div className={styles.failed} role="alert">
          <p>{error}</p>
          <Button tone="outline" small onClick={retry}>
            {words.retry}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function useApply(path: string, onAnswer: EditorProps['onAnswer']) {
  const [isBusy, setBusy] = useState(false)
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  const apply = async (former: PictureEdit, edit: PictureEdit) => {
    if (isSameEdit(edit, former)) {
      onAnswer(null)
      return
    }
    setBusy(true)
    try {
      const made = await editPicture(path, edit)
      if (!isGone.current) onAnswer(made)
    } catch (error) {
      if (isGone.current) return
      setBusy(false)
      toastFailed(own.failed, reasonOf(error))
    }
  }
  return { isBusy, apply }
}

type Opened = {
  /** The picture without its edit. */
  readonly source: StoredPicture
  readonly edit: PictureEdit
  readonly uses: readonly PictureUse[]
}

function useOpened(path: string) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isCurrent = true
    setError(null)
    open(path).then(
      (all) => {
        if (isCurrent) setOpened(all)
      },
      (failure) => {
        if (isCurrent) setError(reasonOf(failure) ?? words.network)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [path, tries])
  return { opened, error, retry: () => setTries(tries + 1) }
}

/** An original is never served: the picture without an edit is made when it is not there any more. */
async function open(path: string): Promise<Opened> {
  const picture = await getPicture(path)
  const { edit, uses } = picture
  if (!picture.isEdited) return { source: picture, edit, uses }
  const source = await getPicture(await editPicture(path, NO_EDIT))
  return { source, edit, uses }
}

const FREE: Ratio | null = null

type OpenEditorProps = {
  opened: Opened
  ratiosOf: RatiosOf
  onChange: (edit: PictureEdit) => void
}

function OpenEditor({ opened, ratiosOf, onChange }: OpenEditorProps) {
  const { source, edit, uses } = opened
  const hint = useId()
  const [turns, setTurns] = useState(edit.turns)
  const [frame, setFrame] = useState<Rectangle>(() => fromParts(edit.crop))
  const [chosen, setChosen] = useState<Ratio | null>(FREE)
  const isUpright = turns % 2 === 0
  const width = isUpright ? source.width : source.height
  const height = isUpright ? source.height : source.width
  /** In parts of the sides, as the frame. */
  const inParts = ({ ratio }: Ratio) => (ratio * height) / width
  const next: PictureEdit = { turns, crop: toParts(frame) }
  useEffect(() => onChange(next))

  const choose = (ratio: Ratio | null) => {
    setChosen(ratio)
    if (ratio !== null) setFrame(fitRatio(frame, inParts(ratio)))
  }
  const rotate = (isClockwise: boolean) => {
    setTurns((turns + (isClockwise ? 1 : 3)) % 4)
    setFrame(turn(frame, isClockwise))
    setChosen(FREE)
  }
  const reset = () => {
    setTurns(0)
    setFrame(WHOLE)
    setChosen(FREE)
  }
  return (
    <>
      <CropFrame
        source={source}
        turns={turns}
        frame={frame}
        ratio={chosen === null ? null : inParts(chosen)}
        hint={hint}
        onChange={setFrame}
      />
      <p className={styles.size} role="status">
        {fill(own.size, {
          width: Math.round(frame.width * width),
          height: Math.round(frame.height * height),
        })}
      </p>
      <div className={styles.tools}>
        <Ratios ratios={ratiosOf({ width, height })} chosen={chosen} onChoose={choose} />
        <div className={styles.turns}>
          <Button tone="outline" small icon={RotateCcw} onClick={() => rotate(false)}>
            {own.left}
          </Button>
          <Button tone="outline" small icon={RotateCw} onClick={() => rotate(true)}>
            {own.right}
          </Button>
          <Button
            tone="quiet"
            small
            icon={Undo2}
            disabled={next.turns === 0 && next.crop === null}
            reachable
            onClick={reset}
          >
            {own.original}
          </Button>
        </div>
      </div>
      <p className={styles.hint} id={hint}>
        {own.hint}
      </p>
      <p className={styles.hint}>{own.kept}</p>
      <section className={styles.uses}>
        <h3>{pictureDialogMessages.uses.title}</h3>
        <PictureUses uses={uses} />
      </section>
    </>
  )
}

const SQUARE: Ratio = { label: own.square, ratio: 1 }

type RatiosProps = {
  ratios: readonly Ratio[]
  chosen: Ratio | null
  onChoose: (ratio: Ratio | null) => void
}

function Ratios({ ratios, chosen, onChoose }: RatiosProps) {
  const name = useId()
  const all = [FREE, SQUARE, ...ratios]
  return (
    <fieldset className={`${segmented.control} ${styles.ratios}`}>
      <legend>{own.ratios}</legend>
      {all.map((one) => (
        <label key={one?.label ?? own.free}>
          <input
            type="radio"
            name={name}
            checked={one?.label === chosen?.label}
            onChange={() => onChoose(one)}
          />
          {one?.label ?? own.free}
        </label>
      ))}
    </fieldset>
  )
}
