// The area: the list of pages, or one of them open.
import { useEffect } from 'preact/hooks'
// biome-ignore lint/style/noRestrictedImports: the page editor shows the header of the shell itself, because an open page has none
import { Header } from '../../app/header'
// biome-ignore lint/style/noRestrictedImports: the list of pages stands in the main column of the shell
import panel from '../../app/shell.module.css'
import { useLeaveGuard } from '../../drafts/use-form'
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
import { PageEditor } from './panel/page-editor'

/** Something else of the panel was there before; what it begins with leaves the focus alone. */
let isIn = false

export function SiteEditor({ rest }: { rest: readonly string[] }) {
  const [name, place = null, hit = null] = rest
  const page = name === undefined ? undefined : pageNamed(name)
  const known = useChipContext()
  useEffect(() => {
    persistDraftsAgain()
    // At once: for the second that it was put off, letters were put into words that others had changed since.
    void loadBlocks()
    window.addEventListener('pagehide', persistAllDrafts)
    // A phone ends a program that was put aside without another word.
    const look = () => {
      persistDrafts()
      persistDraftsAgain()
    }
    document.addEventListener('visibilitychange', look)
    // It tells of what other tabs do.
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
    // Under the sheet of a phone the line that says so is not seen.
    if (loses) toastFailed(wording.editor.notKept, null)
  }, [loses])
  useEffect(() => {
    isIn = true
  }, [])
  return (
    <ChipReactContext.Provider value={known}>
      {page !== undefined ? (
        <PageEditor key={page.name} {...{ page, place, hit, known }} arrives={isIn} />
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
