// Compares a former version of a block with the published one, field by field.
import { ArrowRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import hidden from '../../../../primitives/hidden.module.css'
import { Icon } from '../../../../primitives/icon'
import type { Block, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import type { ChipContext } from '../model/rich-value'
import { stripMarkdown } from '../model/strip-markdown'
import { pieces, wholes } from './text-diff'
import { otherPlaces, readable, type Shown, textsOf } from './version-field-texts'
import styles from './version-history.module.css'

const { versions: own } = wording

type DifferencesProps = { block: Block; value: ObjectValue; isHidden: boolean; known: ChipContext }

export function VersionDiff({ block, value, isHidden, known }: DifferencesProps) {
  const now = textsOf(block, block.value, block.hidden, known)
  const then = textsOf(block, value, isHidden, known)
  const different = otherPlaces(now, then)
  const same = new Set([...now.keys(), ...then.keys()]).size - different.length
  if (different.length === 0) return <p>{own.noDifference}</p>
  return (
    <>
      <dl className={styles.fields}>
        {different.map((place) => (
          <div key={place}>
            <dt>{(then.get(place) ?? now.get(place))?.label}</dt>
            <dd>
              <Pictures now={now.get(place)} then={then.get(place)} />
              <Compared
                texts={readable(now.get(place), then.get(place))}
                isWhole={then.get(place)?.picture !== undefined}
              />
            </dd>
          </div>
        ))}
      </dl>
      {same > 0 ? (
        <p className={styles.soft}>
          {own.same}: {same}
        </p>
      ) : null}
    </>
  )
}

/** The full text of a version; texts of one entry are grouped. */
export function WholeText({ block, value, isHidden, known }: DifferencesProps) {
  const texts = textsOf(block, value, isHidden, known)
  const shown = [...texts].filter(
    // '*' is the block's visibility: only a hidden block needs a line.
    ([place, { order, text, picture }]) =>
      order === undefined && (text !== '' || picture) && (place !== '*' || isHidden),
  )
  const entries = shown.map(([place]) => /^.*?\[[^\]]*\]/.exec(place)?.[0])
  return (
    <dl className={styles.fields}>
      {shown.map(([place, one], index) => {
        const goesOn = entries[index] !== undefined && entries[index] === entries[index - 1]
        return (
          <div key={place} className={goesOn ? styles.goesOn : undefined}>
            <dt>{one.label}</dt>
            <dd>
              {one.picture ? (
                <div className={styles.pictures}>
                  <Figure of={one.picture} />
                </div>
              ) : null}
              {one.type === 'richText' ? stripMarkdown(one.text) : one.text}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** `isWhole` for pictures, whose description and focus point are compared as one text. */
type ComparedProps = { texts: readonly string[]; isWhole: boolean }

/** Diff between the published text and the text of the version. */
function Compared({ texts: [now = '', former = ''], isWhole }: ComparedProps) {
  return (
    <>
      {(isWhole ? wholes : pieces)(now, former).map(({ text, kind }, index) => {
        const key = `${index}`
        if (kind === 'same') return <span key={key}>{text}</span>
        const Tag = kind === 'added' ? 'ins' : 'del'
        const spoken = kind === 'added' ? own.comesBack : own.goesAway
        return (
          <Tag key={key}>
            <span className={hidden.hidden}>{spoken}: </span>
            {text}
          </Tag>
        )
      })}
    </>
  )
}

type Both = { now: Shown | undefined; then: Shown | undefined }

function Pictures({ now, then }: Both) {
  if (now?.picture === undefined && then?.picture === undefined) return null
  return (
    <div className={styles.pictures}>
      <Figure of={now?.picture}>
        <del>{own.now2}</del>
      </Figure>
      <Icon of={ArrowRight} size={20} />
      <Figure of={then?.picture}>
        <ins>{own.comesBack}</ins>
      </Figure>
    </div>
  )
}

type FigureProps = { of: Shown['picture']; children?: ComponentChildren }

function Figure({ of, children }: FigureProps) {
  return (
    <figure>
      <Picture of={of ?? null} />
      {children === undefined ? null : <figcaption>{children}</figcaption>}
    </figure>
  )
}

function Picture({ of: picture }: { of: Shown['picture'] | null }) {
  const image = useRef<HTMLImageElement>(null)
  useLayoutEffect(() => {
    image.current?.style.setProperty('--x', `${picture?.focusX ?? 50}%`)
    image.current?.style.setProperty('--y', `${picture?.focusY ?? 50}%`)
  }, [picture])
  if (!picture) return <p>{wording.picture.drawn}</p>
  return <img src={picture.path} alt={picture.alt} ref={image} />
}
