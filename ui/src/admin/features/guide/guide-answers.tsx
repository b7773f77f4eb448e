// Lists sections of the guide in its drawer: the section about the present screen and the others, or the answers to a query.

import sections from 'virtual:guide'
import { ChevronRight } from 'lucide'
import { fill } from '../../../lib/interpolate'
import { counted } from '../../../lib/plural'
import { Icon } from '../../../primitives/icon'
import { useRoute } from '../../app/routes'
import { HostHelp } from '../../auth/host-contact'
import styles from './guide.module.css'
import type { GuideNode } from './guide-node'
import { sectionOf } from './guide-section-for-route'
import { GuideText } from './guide-text'
import { guideMessages } from './messages'
import { searchGuide } from './search-guide'

export function GuideAnswers({ query }: { query: string }) {
  const here = sectionOf(useRoute())
  if (query.trim() !== '') return <Hits query={query} />
  const own = sections.find(({ id }) => id === here)
  return (
    <div className={styles.answers}>
      {own === undefined ? null : (
        <>
          <h3>{guideMessages.here}</h3>
          <Passage title={own.title} nodes={own.nodes} isOpen />
        </>
      )}
      <h3>{guideMessages.others}</h3>
      {sections
        .filter(({ id, nodes }) => id !== here && nodes.length > 0)
        .map(({ id, title, nodes }) => (
          <Passage key={id} title={title} nodes={nodes} />
        ))}
    </div>
  )
}

function Hits({ query }: { query: string }) {
  const hits = searchGuide(sections, query)
  return (
    <div className={styles.answers}>
      <p role="status">
        {hits.length === 0
          ? fill(guideMessages.none, { query: query.trim() })
          : counted(hits.length, guideMessages.countOne, guideMessages.count)}
      </p>
      {hits.length === 0 ? <HostHelp /> : null}
      {hits.map(({ section, passages }, index) => (
        <Passage
          key={`${section.id} ${query}`}
          title={section.title}
          nodes={passages}
          isOpen={index === 0}
        />
      ))}
    </div>
  )
}

type PassageProps = { title: string; nodes: readonly GuideNode[]; isOpen?: boolean }

function Passage({ title, nodes, isOpen = false }: PassageProps) {
  return (
    <details className={styles.passage} open={isOpen}>
      <summary>
        {title}
        <Icon of={ChevronRight} size={18} />
      </summary>
      <GuideText nodes={nodes} />
    </details>
  )
}
