// Warnings about links to a hidden section: at the link, and in the form of the section.

import fields from '../../../ui/fields/fields.module.css'
import type { Block } from '../api/content-api'
import { fullNameOf, placeHref } from '../api/use-publishing'
import { wording } from '../messages'
import { blocksLinkingTo, linksToHidden } from '../model/links'
import { draftOf, useBlocksAndDrafts, usePages } from '../model/pages-store'
import styles from './form.module.css'

/** Shown below a link that leads to a hidden section. */
export function LinkToHiddenSection({ href }: { href: string }) {
  const isHidden = usePages((store) =>
    linksToHidden(href, (id) => {
      const block = store.blocks?.find((one) => one.id === id)
      return block !== undefined && draftOf(store, block).hidden
    }),
  )
  return isHidden ? (
    <p className={fields.hint} role="status">
      {wording.link.hiddenPart}
    </p>
  ) : null
}

/** Lists the links that lead to a hidden block, in the form of that block. */
export function LinksToHiddenSection({ block }: { block: Block }) {
  const { blocks, drafts } = useBlocksAndDrafts()
  const all = (blocks ?? []).map((one) => ({ ...one, ...draftOf({ drafts }, one) }))
  const leaders = blocksLinkingTo(block.id, all)
  if (leaders.length === 0) return null
  return (
    <div className={styles.soft} role="status">
      <p>{wording.link.leadersHere}</p>
      <ul>
        {leaders.map((place) => (
          <li key={place}>
            <a href={placeHref(place)}>{fullNameOf(place)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
