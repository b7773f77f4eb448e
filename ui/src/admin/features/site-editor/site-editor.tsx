// The page editor: the list of pages, or one open page.
import { useEffect, useRef } from 'preact/hooks'
// biome-ignore lint/style/noRestrictedImports: the page editor shows the header of the shell itself, because an open page has none
import { Header } from '../../app/header'
// biome-ignore lint/style/noRestrictedImports: the list of pages stands in the main column of the shell
import panel from '../../app/shell.module.css'
import { useLeaveGuard } from '../../drafts/use-form'
import { lazy } from '../../ui/lazy'
import { toastFailed } from '../../ui/toast-store'
import { wording } from './messages'
import { pageNamed } from './model/editable-pages'
import {
  loadBlocks,
  persistAllDrafts,
  persistDrafts,
  persistDraftsAgain,
  usePages,
} from './model/pages-store'
import { ChipReactContext, useChipContext } from './model/use-chip-context'
import { PageList } from './pages/page-list'
import { wouldLoseDrafts } from './panel/drafts-banner'

/** With the text editor, which the list of pages needs only once a page is opened. */
const PageEditor = lazy(() => import('./panel/page-editor').then(({ PageEditor }) => PageEditor))

/** False at the first mount of the area: the page that the panel starts with must not take the focus. */
let isIn = false

export function SiteEditor({ rest }: { rest: readonly string[] }) {
  const [name, place = null, hit = null] = rest
  const page = name === undefined ? undefined : pageNamed(name)
  const known = useChipContext()
  const startPage = useRef(isIn ? undefined : name)
  if (startPage.current !== name) startPage.current = undefined
  useEffect(() => {
    persistDraftsAgain()
    // Without delay: a delay of one second let keystrokes go into texts that others had changed in the meantime.
    void loadBlocks()
    window.addEventListener('pagehide', persistAllDrafts)
    // Mobile browsers kill a background tab without a further event.
    const look = () => {
      persistDrafts()
      persistDraftsAgain()
    }
    document.addEventListener('visibilitychange', look)
    // Fires when another tab changes the stored drafts.
    window.addEventListener('storage', persistDraftsAgain)
    return () => {
      persistDrafts()
      window.removeEventListener('pagehide', persistAllDrafts)
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('storage', persistDraftsAgain)
    }
  }, [])
  const loses = usePages(wouldLoseDrafts)
  useLeaveGuard(loses)
  useEffect(() => {
    // A bottom sheet on a phone hides the banner with this message.
    if (loses) toastFailed(wording.editor.notKept, null)
  }, [loses])
  useEffect(() => {
    isIn = true
    PageEditor.preload()
  }, [])
  return (
    <ChipReactContext.Provider value={known}>
      {page !== undefined ? (
        <PageEditor
          key={page.name}
          {...{ page, place, hit, known }}
          arrives={startPage.current === undefined}
        />
      ) : name === undefined ? (
        <PageList known={known} />
      ) : (
        <>
          <Header area="pagine" />
          <main className={panel.main}>
            <PageList known={known} />
          </main>
        </>
      )}
    </ChipReactContext.Provider>
  )
}
