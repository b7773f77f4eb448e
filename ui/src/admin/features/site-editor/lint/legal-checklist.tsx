// 'Che cosa chiede la legge': legal requirements with their state, each linked to its field.
import { CircleAlert, CircleCheck } from 'lucide'
import { Icon } from '../../../../primitives/icon'
import { settingHref } from '../../../app/routes'
import { wording } from '../messages'
import { editHref, homeOf } from '../model/editable-pages'
import { draftOf, useBlocksAndDrafts } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { type LegalCheck, legalChecks } from './legal-checks'
import styles from './warnings.module.css'

const { legal: own } = wording

export function LegalChecklist({ known }: { known: ChipContext }) {
  const store = useBlocksAndDrafts()
  const blocks = store.blocks ?? []
  const checks = legalChecks(blocks, (block) => draftOf(store, block).value, known)
  const hrefOf = ({ name, block: id }: LegalCheck) => {
    const block = blocks.find((one) => one.id === id)
    // The VAT number or a contact is missing in the settings.
    if (block === undefined) return settingHref(name === 'vat' ? 'vatNumber' : 'email')
    return editHref(homeOf(block), `${block.id}:`)
  }
  return (
    <section className={styles.hints} aria-label={own.heading}>
      <h3>{own.heading}</h3>
      <ul className={styles.checks}>
        {checks.map((check) => {
          const { name, isThere } = check
          return (
            <li key={name}>
              <Icon of={isThere ? CircleCheck : CircleAlert} size={20} />
              <span>
                {own.items[name]}
                <small>{isThere ? own.ok : own.missing}</small>
              </span>
              {isThere ? null : (
                <a href={hrefOf(check)} aria-label={`${own.goTo}: ${own.items[name]}`}>
                  {own.goTo}
                </a>
              )}
            </li>
          )
        })}
      </ul>
      <p className={styles.instead}>{own.note}</p>
    </section>
  )
}
