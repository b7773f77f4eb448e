// Visit statistics: visitors, referrers and pages read, and the switch for counting.
import { Trash2 } from 'lucide'
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { dayText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { useIsOwner } from '../../auth/session-store'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Switch } from '../../ui/fields/switch-field'
import { words as panel } from '../../ui/messages'
import { Card, PageLayout, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { TableHead } from '../../ui/table-head'
import { toastDone } from '../../ui/toast-store'
import { statisticsMessages as words } from './messages'
import own from './statistics.module.css'
import { StatisticsChart } from './statistics-chart'
import {
  changeText,
  isEvent,
  numberText,
  type Period,
  pageName,
  type Statistics,
  sourceName,
} from './statistics-report'

const API = '/api/admin/statistics'
const PERIODS: readonly Period[] = ['days', 'months']

export function StatisticsArea() {
  const [period, setPeriod] = useState<Period>('days')
  const data = useLoad<Statistics>(`${API}?period=${period}`)
  return (
    <PageLayout
      title={words.title}
      text={words.text}
      actions={
        <fieldset className={own.periods}>
          <legend>{words.period}</legend>
          {PERIODS.map((one) => (
            <Button
              key={one}
              tone={one === period ? 'primary' : 'outline'}
              small
              pressed={one === period}
              onClick={() => setPeriod(one)}
            >
              {words.periods[one]}
            </Button>
          ))}
        </fieldset>
      }
    >
      <WhenLoaded data={data}>
        {(statistics) => (
          <>
            {statistics.since === null ? (
              <Card title={words.empty.title}>
                <p>{words.empty.text}</p>
              </Card>
            ) : (
              // While the other period loads, the old data is still shown: its number of parts tells its period.
              <Numbers
                period={statistics.parts.length === 12 ? 'months' : 'days'}
                data={statistics}
              />
            )}
            <Counting data={statistics} onChange={data.reload} />
          </>
        )}
      </WhenLoaded>
    </PageLayout>
  )
}

function Numbers({ period, data }: { readonly period: Period; readonly data: Statistics }) {
  const { sum, before } = data
  const contacts = sum.phone + sum.email + sum.message
  const contactsBefore = before ? before.phone + before.email + before.message : undefined
  const events = data.pages.filter(isEvent)
  return (
    <>
      <dl className={own.cards}>
        <Figure name={words.cards.views} value={sum.views} before={before?.views} />
        <Figure
          name={words.cards.visitors}
          value={sum.visitors}
          before={before?.visitors}
          hint={words.cards.visitorsHint}
        />
        <Figure
          name={words.cards.contacts}
          value={contacts}
          before={contactsBefore}
          hint={words.cards.contactsHint}
        />
      </dl>
      <StatisticsChart period={period} data={data} />
      <Ranking
        title={words.charts.sources}
        empty={words.empty.sources}
        columns={[words.table.source, words.table.views]}
        rows={data.sources.map((row) => [sourceName(row), row.views])}
        note={data.sources.some(({ is }) => is === 'direct') ? words.names.directHint : null}
      />
      <Ranking
        title={words.charts.pages}
        empty={words.empty.title}
        columns={[words.table.page, words.table.views]}
        rows={data.pages.map((row) => [pageName(row), row.views])}
      />
      {events.length === 0 ? null : (
        <Ranking
          title={words.charts.events}
          empty={words.empty.title}
          columns={[words.table.event, words.table.views]}
          rows={events.map((row) => [pageName(row), row.views])}
        />
      )}
      <Ranking
        title={words.charts.contacts}
        empty={words.empty.contacts}
        columns={[words.table.page, words.table.phone, words.table.email, words.table.messages]}
        rows={data.contacts.map((row) => [pageName(row), row.phone, row.email, row.message])}
      />
    </>
  )
}

type FigureProps = {
  readonly name: string
  readonly value: number
  readonly before: number | undefined
  readonly hint?: string
}

function Figure({ name, value, before, hint }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{numberText(value)}</b>
        <small>{changeText(value, before)}</small>
        {hint === undefined ? null : <small>{hint}</small>}
      </dd>
    </div>
  )
}

const ROWS_FIRST = 8

type RankingProps = {
  readonly title: string
  readonly empty: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly [string, ...number[]])[]
  readonly note?: string | null
}

function Ranking({ title, empty, columns, rows, note = null }: RankingProps) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, ROWS_FIRST)
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className={styles.soft}>{empty}</p>
      ) : (
        <div className={own.scrolls}>
          <table className={own.table}>
            <TableHead of={columns} />
            <tbody>
              {shown.map(([name, ...counts], place) => (
                <tr key={place}>
                  <th scope="row">{name}</th>
                  {counts.map((count, column) => (
                    <td key={column}>{numberText(count)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {note === null ? null : <p className={styles.soft}>{note}</p>}
      {rows.length <= ROWS_FIRST ? null : (
        <div className={styles.buttons}>
          <Button tone="outline" small onClick={() => setAll(!all)}>
            {all ? words.charts.less : words.charts.all}
          </Button>
        </div>
      )}
    </Card>
  )
}

type CountingProps = { readonly data: Statistics; readonly onChange: () => Promise<void> }

function Counting({ data, onChange }: CountingProps) {
  const isOwner = useIsOwner()
  const [asking, setAsking] = useState(false)
  const turn = async (counting: boolean) => {
    const done = await attempt(panel.toasts.update, () => call('PUT', API, { counting }))
    if (done) toastDone(counting ? words.switch.on : words.switch.off)
    await onChange()
  }
  const clear = async () => {
    if (await attempt(panel.toasts.remove, () => call('DELETE', API))) {
      toastDone(words.switch.cleared)
    }
    setAsking(false)
    await onChange()
  }
  return (
    <Card title={data.counting ? words.honesty.title : words.switch.offTitle}>
      {isOwner ? (
        <Switch
          label={words.switch.label}
          checked={data.counting}
          onChange={(counting) => void turn(counting)}
        />
      ) : null}
      <Lines>
        {words.switch.hint}
        {data.offSince === null ? null : words.switch.offText(dayText(data.offSince))}
        {words.honesty.counted}
        {words.honesty.notCounted}
        {words.honesty.rough}
        {data.isBehindCache ? words.honesty.cache : null}
        {data.since === null ? null : words.empty.since(dayText(data.since))}
        {data.counting ? words.updated : null}
      </Lines>
      {data.since === null || !isOwner ? null : (
        <div className={styles.buttons}>
          <Button tone="outline" icon={Trash2} onClick={() => setAsking(true)}>
            {words.switch.clear}
          </Button>
        </div>
      )}
      {asking ? (
        <Confirm
          question={words.switch.clearQuestion}
          confirm={words.switch.clear}
          onConfirm={clear}
          onClose={() => setAsking(false)}
        >
          <p>{words.switch.clearNote}</p>
        </Confirm>
      ) : null}
    </Card>
  )
}

function Lines({ children }: { readonly children: readonly ComponentChildren[] }) {
  const lines = children.filter((line): line is string => typeof line === 'string')
  return (
    <Fragment>
      {lines.map((line) => (
        <p className={styles.soft} key={line}>
          {line}
        </p>
      ))}
    </Fragment>
  )
}
