// Draws a period as a bar chart, or as a table with the same numbers.
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { Card } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { TableHead } from '../../ui/table-head'
import { statisticsMessages as words } from './messages'
import own from './statistics.module.css'
import { numberText, type Period, partName, type Statistics } from './statistics-report'

type SeriesProps = { readonly period: Period; readonly data: Statistics }

export function StatisticsChart({ period, data }: SeriesProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card title={words.charts[period]}>
      {asTable ? <Table period={period} data={data} /> : <Bars period={period} data={data} />}
      <div className={styles.buttons}>
        <Button tone="outline" small onClick={() => setAsTable(!asTable)}>
          {asTable ? words.charts.asChart : words.charts.asTable}
        </Button>
        <a
          className={styles.link}
          href={`/api/admin/statistics.csv?separator=semicolon&period=${period}`}
          download
        >
          {words.table.csv}
        </a>
      </div>
    </Card>
  )
}

const height = 100
const step = 20

function Bars({ period, data }: SeriesProps) {
  const most = Math.max(1, ...data.parts.map((part) => part.views))
  const [first, last] = [data.parts[0], data.parts.at(-1)]
  return (
    <figure className={own.chart}>
      <svg
        role="img"
        aria-label={words.charts.aria[period]}
        viewBox={`0 0 ${data.parts.length * step} ${height}`}
        preserveAspectRatio="none"
      >
        {data.parts.map(({ from, views }, place) => {
          const tall = views === 0 ? 1 : Math.max(3, (height * views) / most)
          return (
            <rect
              key={from}
              x={place * step + 3}
              y={height - tall}
              width={step - 6}
              height={tall}
              className={views === 0 ? own.none : undefined}
            >
              <title>{`${partName(period, from)}: ${numberText(views)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>
        <span>{first === undefined ? '' : partName(period, first.from)}</span>
        <span>{last === undefined ? '' : partName(period, last.from)}</span>
      </figcaption>
    </figure>
  )
}

function Table({ period, data }: SeriesProps) {
  const { table } = words
  return (
    <div className={own.scrolls}>
      <table className={own.table}>
        <caption>{table.captions[period]}</caption>
        <TableHead
          of={[period === 'days' ? table.day : table.month, table.views, table.visitors]}
        />
        <tbody>
          {[...data.parts].reverse().map((part) => (
            <tr key={part.from}>
              <th scope="row">{partName(period, part.from)}</th>
              <td>{numberText(part.views)}</td>
              <td>{numberText(part.visitors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
