// List entries with the practitioner's further social profiles.

import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { labels } from '../fixed-messages/control-labels'
import { printedAddress } from '../settings'
import type { SocialProfile } from '../social-profiles'
import styles from './social-links.module.css'

export function SocialLinks({ profiles = [] }: { readonly profiles?: readonly SocialProfile[] }) {
  return (
    <>
      {profiles.map(({ href, name, icon }) => (
        <li key={href} data-paper={printedAddress(name, href)}>
          <a class={styles.profile} href={href} target="_blank" rel="noopener me">
            <Icon of={icon} />
            {name}
            <span class={hidden.hidden}>{` (${labels.newTab})`}</span>
          </a>
        </li>
      ))}
    </>
  )
}
