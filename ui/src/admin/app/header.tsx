// Header of the panel: areas, link to the site, account menu. On a phone everything is in the menu.

import {
  Bell,
  ChartColumn,
  ChevronDown,
  CircleQuestionMark,
  DatabaseBackup,
  Ellipsis,
  ExternalLink,
  History,
  House,
  type IconNode,
  KeyRound,
  LayoutList,
  LogOut,
  PanelsTopLeft,
  PenLine,
  Send,
  Settings,
  Trash2,
} from 'lucide'
import { useRef } from 'preact/hooks'
import { counted } from '../../lib/plural'
import { Icon } from '../../primitives/icon'
import { attempt } from '../api/item-actions'
import { useItems } from '../api/items-store'
import { useSiteStatus } from '../api/site-status'
import { authMessages } from '../auth/messages'
import { useIsOwner, useSession } from '../auth/session-store'
import { GUIDE_NAME, useGuide } from '../hooks/use-guide'
import { useMenuClosing } from '../hooks/use-menu-closing'
import styles from './header.module.css'
import { shellMessages } from './messages'
import { type Area, areaHref, isOwnerArea } from './routes'

const AREAS: readonly { area: Area; label: string; icon: IconNode }[] = [
  { area: 'casa', label: 'Casa', icon: House },
  { area: 'contenuti', label: 'Contenuti', icon: LayoutList },
  { area: 'pagine', label: 'Pagine', icon: PanelsTopLeft },
  { area: 'blog', label: 'Blog', icon: PenLine },
  { area: 'visite', label: 'Visite', icon: ChartColumn },
  { area: 'newsletter', label: 'Newsletter', icon: Send },
  { area: 'impostazioni', label: 'Impostazioni', icon: Settings },
  { area: 'backup', label: 'Backup', icon: DatabaseBackup },
]

/** The areas that the account may open. */
function useAreas() {
  const isOwner = useIsOwner()
  return isOwner ? AREAS : AREAS.filter((one) => !isOwnerArea(one.area))
}

/** At the foot of a phone; the other areas are in the account menu. */
const FIRST_AREAS: readonly Area[] = ['casa', 'pagine', 'contenuti', 'blog']

export function Header({ area }: { area: Area }) {
  const areas = useAreas()
  const menu = useRef<HTMLDetailsElement>(null)
  return (
    <>
      <header className={styles.bar}>
        <div className={styles.row}>
          <a className={styles.brand} href={areaHref('casa')} aria-label={shellMessages.home}>
            Respiro
          </a>
          <nav className={styles.nav} aria-label={shellMessages.areas}>
            {areas.map((one) => (
              <AreaLink key={one.area} {...one} current={one.area === area} />
            ))}
          </nav>
          <a
            className={styles.site}
            href="/"
            target="_blank"
            rel="noopener"
            aria-label={shellMessages.viewSite}
          >
            <span>{shellMessages.viewSite}</span>
            <Icon size={20} of={ExternalLink} />
          </a>
          <button
            type="button"
            className={styles.help}
            aria-label={GUIDE_NAME}
            aria-keyshortcuts="F1"
            onClick={() => useGuide.getState().open()}
          >
            <Icon size={20} of={CircleQuestionMark} />
          </button>
          <NoticesLink area={area} />
          <AccountMenu area={area} menu={menu} />
        </div>
      </header>
      <nav className={styles.foot} aria-label={shellMessages.firstAreas} data-foot="">
        {FIRST_AREAS.flatMap((name) => AREAS.filter((one) => one.area === name)).map((one) => (
          <AreaLink key={one.area} {...one} current={one.area === area} />
        ))}
        <button
          type="button"
          onClick={() => {
            const { current } = menu
            if (current === null) return
            current.open = true
            current.querySelector('summary')?.focus()
          }}
        >
          <Icon size={20} of={Ellipsis} />
          {shellMessages.more}
        </button>
      </nav>
    </>
  )
}

function NoticesLink({ area }: { area: Area }) {
  const unread = useSiteStatus((store) => store.status?.unreadNotices ?? 0)
  const label = counted(unread, '1 nuovo', '{n} nuovi', 'nessuno nuovo')
  return (
    <a
      className={styles.bell}
      href={areaHref('avvisi')}
      aria-label={`Avvisi: ${label}`}
      {...(area === 'avvisi' ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon size={20} of={Bell} />
      {unread === 0 ? null : <span aria-hidden="true">{unread}</span>}
    </a>
  )
}

type AreaLinkProps = {
  area: Area
  label: string
  icon: IconNode
  current: boolean
  onClick?: () => void
}

function AreaLink({ area, label, icon, current, onClick }: AreaLinkProps) {
  return (
    <a
      href={areaHref(area)}
      onClick={() => onClick?.()}
      {...(current ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon size={20} of={icon} />
      {label}
    </a>
  )
}

type MenuProps = { area: Area; menu: { readonly current: HTMLDetailsElement | null } }

function AccountMenu({ area, menu }: MenuProps) {
  const email = useSession((store) => store.session?.email ?? '')
  const signOut = useSession((store) => store.signOut)
  const areas = useAreas()
  const close = useMenuClosing(menu)
  const leave = async () => {
    const done = await attempt('L’uscita non è riuscita', () => signOut(authMessages.loggedOut))
    if (done) useItems.getState().forgetAll()
  }
  return (
    <details
      ref={menu}
      className={styles.menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return
        close()
        menu.current.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={`Menu: ${email}`}>
        <span className={styles.avatar} aria-hidden="true">
          {email.slice(0, 1).toUpperCase()}
        </span>
        <Icon size={20} of={ChevronDown} />
      </summary>
      <div className={styles.sheet}>
        <nav className={styles.small} aria-label={shellMessages.areas}>
          {areas.map((one) => (
            <AreaLink key={one.area} {...one} current={one.area === area} onClick={close} />
          ))}
        </nav>
        <AreaLink
          area="cronologia"
          label="Cronologia"
          icon={History}
          current={area === 'cronologia'}
          onClick={close}
        />
        <AreaLink
          area="cestino"
          label="Cestino"
          icon={Trash2}
          current={area === 'cestino'}
          onClick={close}
        />
        <AreaLink
          area="account"
          label="Account"
          icon={KeyRound}
          current={area === 'account'}
          onClick={close}
        />
        <button type="button" onClick={() => void leave()}>
          <Icon size={20} of={LogOut} />
          {authMessages.logout}
        </button>
      </div>
    </details>
  )
}
