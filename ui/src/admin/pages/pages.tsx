// The area: the list of pages, or one of them open.
import { useEffect } from 'preact/hooks'
import { Bar } from '../bar'
import panel from '../panel.module.css'
import { useLeaveGuard } from '../use-form'
import { PageEditor } from './page-editor'
import { PageList } from './page-list'
import { keepNow, loadBlocks, usePages } from './pages-store'
import { pageNamed } from './site-pages'
import { useKnown } from './use-known'

export function Pages({ rest }: { rest: readonly string[] }) {
  const [name, place = null] = rest
  const page = name === undefined ? undefined : pageNamed(name)
  const known = useKnown()
  useEffect(() => {
    void loadBlocks()
    window.addEventListener('pagehide', keepNow)
    // A phone ends a program that was put aside without another word.
    document.addEventListener('visibilitychange', keepNow)
    return () => {
      keepNow()
      window.removeEventListener('pagehide', keepNow)
      document.removeEventListener('visibilitychange', keepNow)
    }
  }, [])
  const loses = usePages((store) => !store.keeps && Object.keys(store.drafts).length > 0)
  useLeaveGuard(loses)
  if (page !== undefined) {
    return <PageEditor key={page.name} page={page} place={place} known={known} />
  }
  if (name === undefined) return <PageList known={known} />
  return (
    <>
      <Bar area="pagine" />
      <main className={panel.main}>
        <PageList known={known} />
      </main>
    </>
  )
}
