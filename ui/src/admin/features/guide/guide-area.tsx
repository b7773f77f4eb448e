// The whole guide as one page, to read or print; `#/guida/eventi` shows it at a section.

import sections from 'virtual:guide'
import { Printer } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { useRoute } from '../../app/routes'
import { GUIDE_NAME } from '../../hooks/use-guide'
import { Button } from '../../ui/button'
import { PageLayout } from '../../ui/page-layout'
import styles from './guide.module.css'
import { GuideText } from './guide-text'
import { guideMessages } from './messages'

export function GuideArea() {
  const [wanted] = useRoute().rest
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (wanted === undefined) return
    const heading = text.current?.querySelector<HTMLElement>(`#guida-${CSS.escape(wanted)}`)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [wanted])
  return (
    <PageLayout
      title={GUIDE_NAME}
      text={guideMessages.text}
      actions={
        <Button tone="outline" small icon={Printer} onClick={() => window.print()}>
          {guideMessages.print}
        </Button>
      }
    >
      <div className={styles.whole} ref={text}>
        {sections.map(({ id, title, level, nodes }) => {
          const Heading = level === 2 ? 'h2' : 'h3'
          return (
            <section key={id}>
              <Heading id={`guida-${id}`} tabIndex={-1}>
                {title}
              </Heading>
              <GuideText nodes={nodes} />
            </section>
          )
        })}
      </div>
    </PageLayout>
  )
}
