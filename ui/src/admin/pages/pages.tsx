// The area: the list of pages, or one of them open.
import { useEffect, useMemo } from 'preact/hooks'
import { Bar } from '../bar'
import panel from '../panel.module.css'
import type { SettingName } from '../schema'
import { settingWords } from '../settings-wording'
import { useLeaveGuard } from '../use-form'
import { useLoad } from '../use-load'
import { readConfirmed } from './confirmed'
import { PageEditor } from './page-editor'
import { PageList } from './page-list'
import { keepNow, loadBlocks, usePages } from './pages-store'
import { pageNamed } from './site-pages'
import type { Known } from './text-parts'

export function Pages({ rest }: { rest: readonly string[] }) {
  const [name, place = null] = rest
  const page = name === undefined ? undefined : pageNamed(name)
  const known = useKnown()
  useEffect(() => {
    usePages.setState({ confirmed: readConfirmed() })
    void loadBlocks()
    window.addEventListener('pagehide', keepNow)
    return () => {
      keepNow()
      window.removeEventListener('pagehide', keepNow)
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

/** What chips in texts stand for. */
function useKnown(): Known {
  const { value } = useLoad<Readonly<Record<string, unknown>>>('/api/admin/settings')
  const blocks = usePages((store) => store.blocks)
  return useMemo(
    () => ({
      settings: value ?? {},
      settingLabels: Object.fromEntries(
        (Object.keys(settingWords) as SettingName[]).map((one) => [one, settingWords[one].label]),
      ),
      blocks: blocks ?? [],
    }),
    [value, blocks],
  )
}
