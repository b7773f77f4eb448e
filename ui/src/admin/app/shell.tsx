// Shell of the signed-in panel: header and current area.
import { useEffect } from 'preact/hooks'
import { useSiteStatus } from '../api/site-status'
import { useIsOwner } from '../auth/session-store'
import { GuideDrawer } from '../features/guide/guide-drawer'
import { ItemsPanel } from '../features/items/items-panel'
import { useOnboarding } from '../features/onboarding/onboarding-banner'
import { usePictureDialogs } from '../hooks/picture-dialogs'
import { usePageDrops } from '../hooks/use-file-drop'
import { lazy, lazyAddition } from '../ui/lazy'
import { words } from '../ui/messages'
import { PageLayout } from '../ui/page-layout'
import { toastFailed } from '../ui/toast-store'
import { AREA_TITLES } from './area-titles'
import { ContentsArea } from './contents-area'
import { Header } from './header'
import { shellMessages } from './messages'
import { type Area, isOwnerArea, useRoute } from './routes'
import styles from './shell.module.css'
import { SiteEditorArea } from './site-editor-area'

const AccountArea = lazy(() =>
  import('../features/account/account').then(({ AccountArea }) => AccountArea),
)
const BackupArea = lazy(() =>
  import('../features/backup/backup').then(({ BackupArea }) => BackupArea),
)
const ClockNotice = lazyAddition(() =>
  import('../features/clock/clock-notice').then(({ ClockNotice }) => ClockNotice),
)
const GuideArea = lazy(() =>
  import('../features/guide/guide-area').then(({ GuideArea }) => GuideArea),
)
const HistoryArea = lazy(() =>
  import('./history/history-area').then(({ HistoryArea }) => HistoryArea),
)
const HomeArea = lazy(() => import('./home/home-area').then(({ HomeArea }) => HomeArea))
const Onboarding = lazy(() =>
  import('../features/onboarding/onboarding').then(({ Onboarding }) => Onboarding),
)
const NewsletterArea = lazy(() =>
  import('../features/newsletter/newsletter').then(({ NewsletterArea }) => NewsletterArea),
)
const NoticesArea = lazy(() =>
  import('../features/notices/notices').then(({ NoticesArea }) => NoticesArea),
)
const PictureDialogs = lazyAddition(
  () => import('../features/pictures/picture-dialogs').then(({ PictureDialogs }) => PictureDialogs),
  () => {
    toastFailed(words.loadError.title, words.network)
    usePictureDialogs.getState().request?.answer(null)
  },
)
const SettingsArea = lazy(() =>
  import('../features/settings/settings').then(({ SettingsArea }) => SettingsArea),
)
const StatisticsArea = lazy(() =>
  import('../features/statistics/statistics').then(({ StatisticsArea }) => StatisticsArea),
)
const TrashArea = lazy(() => import('../features/items/trash').then(({ TrashArea }) => TrashArea))

export function AdminShell() {
  const isOwner = useIsOwner()
  const { area, rest } = useRoute()
  const isDenied = isOwnerArea(area) && !isOwner
  const dragging = usePageDrops()
  const steps = useOnboarding()
  const clock = useSiteStatus((store) => store.status?.clock) ?? null
  const isAsked = usePictureDialogs(({ request }) => request !== null)

  useEffect(() => {
    // Later than the first load, which is measured.
    const loaded = import('../drafts/draft-sync')
    loaded.then(({ startDraftSync }) => startDraftSync()).catch(() => undefined)
  }, [])

  useEffect(() => {
    // The onboarding sets its own titles.
    if (steps.shown) return
    document.title = `${AREA_TITLES[area]} · ${words.title}`
    window.scrollTo(0, 0)
  }, [area, steps.shown])

  if (steps.shown) return <Onboarding onDone={steps.finish} />
  // An open page of the site fills the window.
  if (area === 'pagine' && rest.length > 0) {
    return (
      <>
        <SiteEditorArea rest={rest} />
        <GuideDrawer />
        {isAsked ? <PictureDialogs /> : null}
      </>
    )
  }
  return (
    <>
      <Header area={area} />
      {clock === null || !isOwner ? null : (
        <div className={styles.wrap}>
          <ClockNotice clock={clock} />
        </div>
      )}
      <main className={styles.main} key={area}>
        {isDenied ? (
          <PageLayout title={AREA_TITLES[area]} text={shellMessages.ownersOnly}>
            {null}
          </PageLayout>
        ) : (
          <AreaBody area={area} />
        )}
      </main>
      <GuideDrawer />
      {isAsked ? <PictureDialogs /> : null}
      {dragging ? (
        <div className={styles.veil} aria-hidden="true">
          <p>{shellMessages.dropFiles}</p>
        </div>
      ) : null}
    </>
  )
}

function AreaBody({ area }: { area: Area }) {
  switch (area) {
    case 'casa':
      return <HomeArea />
    case 'contenuti':
      return <ContentsArea />
    case 'pagine':
      return <SiteEditorArea rest={[]} />
    case 'blog':
      return (
        <div className={styles.wrap}>
          <ItemsPanel kind="blog" level={1} />
        </div>
      )
    case 'visite':
      return <StatisticsArea />
    case 'newsletter':
      return <NewsletterArea />
    case 'impostazioni':
      return <SettingsArea />
    case 'backup':
      return <BackupArea />
    case 'account':
      return <AccountArea />
    case 'avvisi':
      return <NoticesArea />
    case 'cestino':
      return <TrashArea />
    case 'cronologia':
      return <HistoryArea />
    case 'guida':
      return <GuideArea />
  }
}
