// Her home page as visitors see it, and the three things that she does most.
import { CalendarPlus, PenLine, SquarePen } from 'lucide'
import { Icon } from '../../../primitives/icon'
import { PageThumbnail } from '../../features/site-editor/pages/page-thumbnail'
import button from '../../ui/button.module.css'
import { areaHref, itemHref, NEW_ITEM } from '../routes'
import home from './home.module.css'
import { homeMessages } from './messages'
import styles from './site-card.module.css'

const own = homeMessages.site
const PHONE_PX = 390

export function SiteCard({ brand }: { brand: string | null }) {
  const drawn = <img src="/social/home.jpg" alt="" />
  const acts = [
    { href: itemHref('events', NEW_ITEM), icon: CalendarPlus, text: own.event },
    { href: itemHref('blog', NEW_ITEM), icon: PenLine, text: own.article },
  ]
  return (
    <section className={`${home.card} ${styles.site}`} aria-label={own.label}>
      <div className={styles.pictures}>
        <PageThumbnail address="/" label={own.picture} className={styles.desktop}>
          {drawn}
        </PageThumbnail>
        <PageThumbnail address="/" label={own.picture} width={PHONE_PX} className={styles.phone}>
          {null}
        </PageThumbnail>
      </div>
      <div className={styles.acts}>
        <p>
          <b>{brand}</b>
          <small>{location.host}</small>
        </p>
        <a
          className={`${button.button} ${button.primary}`}
          href={areaHref('pagine')}
          data-primary=""
        >
          <Icon size={20} of={SquarePen} />
          {own.edit}
        </a>
        {acts.map(({ href, icon, text }) => (
          <a key={href} className={`${button.button} ${button.outline}`} href={href}>
            <Icon size={20} of={icon} />
            {text}
          </a>
        ))}
      </div>
    </section>
  )
}
