import type { PlannedKey } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { describeAction, isSelectable, verdictTones } from './plan.ts'

/** The import itself stands below the rows, so a long plan begins with few. */
const rowsAtFirst = 25
const rowsMore = 200

interface PlanRowsProps {
  readonly rows: readonly PlannedKey[]
  /** Holds the id of the schema after the import: each key is a link then. `undefined`: it is a plan. */
  readonly doneIn: string | undefined
  readonly selected: ReadonlySet<string>
  readonly onSelect: (key: string, isSelected: boolean) => void
  /** Called with a key that a person takes for no secret. */
  readonly onPlain: (key: string) => void
}

/** Lists what happens to each key, or has happened to it. Long plans grow by a button. */
export function PlanRows({ rows, doneIn, selected, onSelect, onPlain }: PlanRowsProps) {
  const [limit, setLimit] = useState(rowsAtFirst)
  const isPlan = doneIn === undefined
  return (
    <>
      <Table columns={[isPlan && { title: 'Import', kind: 'choice' }, 'Key', 'Verdict', 'Issues']}>
        {rows.slice(0, limit).map((row) => (
          <PlanRow
            key={`${row.action === 'none' ? 'none' : 'key'} ${row.key} ${row.from}`}
            row={row}
            doneIn={doneIn}
            isSelected={selected.has(row.key)}
            onSelect={onSelect}
            onPlain={onPlain}
          />
        ))}
      </Table>
      {rows.length > limit && (
        <div className="flex justify-center border-t border-line p-2">
          <Button variant="quiet" onClick={() => setLimit(limit + rowsMore)}>
            Show more of {rows.length}
          </Button>
        </div>
      )}
    </>
  )
}

interface PlanRowProps extends Pick<PlanRowsProps, 'doneIn' | 'onSelect' | 'onPlain'> {
  readonly row: PlannedKey
  readonly isSelected: boolean
}

function PlanRow({ row, doneIn, isSelected, onSelect, onPlain }: PlanRowProps) {
  const { key, from } = row
  return (
    <Row>
      {doneIn === undefined && (
        <Cell>
          {isSelectable(row) && (
            <input
              type="checkbox"
              aria-label={row.action === 'skip' ? `Change ${key}` : `Import ${key}`}
              className="mt-1 size-4 accent-accent"
              checked={isSelected}
              onChange={({ target }) => onSelect(key, target.checked)}
            />
          )}
        </Cell>
      )}
      <Cell>
        <div className="min-w-40 font-mono font-medium wrap-anywhere">
          <KeyName row={row} doneIn={doneIn} />
        </div>
        {from !== key && <div className="text-sm wrap-anywhere text-muted">from {from}</div>}
      </Cell>
      <Cell>
        <div className="flex min-w-40 flex-col items-start gap-1">
          <Verdict row={row} isDone={doneIn !== undefined} />
          <Environments row={row} />
        </div>
      </Cell>
      <Cell>
        <Issues row={row} />
        {doneIn === undefined && row.looksLikeSecret && (
          <Button variant="quiet" onClick={() => onPlain(key)}>
            {key} is no secret
          </Button>
        )}
      </Cell>
    </Row>
  )
}

/** Says whether a key is as in the other product, and what happens to it. For one that fails only that counts. */
function Verdict({ row, isDone }: Readonly<{ row: PlannedKey; isDone: boolean }>) {
  const { verdict, action } = row
  const words = describeAction(row, isDone)
  if (action === 'failed') return <Badge tone="bad">{words}</Badge>
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={verdictTones[verdict]}>{verdict}</Badge>
      {words !== undefined && <span className="text-sm">{words}</span>}
    </span>
  )
}

/** Links to the key, where the import has left one. */
function KeyName({ row: { key, action }, doneIn }: Pick<PlanRowProps, 'row' | 'doneIn'>) {
  const { slug } = useOrganization()
  if (doneIn === undefined || action === 'none' || action === 'failed') return <bdi>{key}</bdi>
  return (
    <Link to="/$org/config" params={{ org: slug }} search={{ schema: doneIn, panel: 'about', key }}>
      {key}
    </Link>
  )
}

/** Says of each environment what happens there, those of one kind together. */
function Environments({ row: { environments } }: Pick<PlanRowProps, 'row'>) {
  const byState = Map.groupBy(environments, ({ state }) => stateWords[state])
  return [...byState].map(([words, list]) => (
    <span key={words} className="text-sm wrap-anywhere text-muted">
      {words} <bdi>{list.map(({ environment }) => environment).join(', ')}</bdi>
    </span>
  ))
}

const stateWords = {
  set: 'set in',
  same: 'the same in',
  differs: 'other value in',
  'turned off': 'stays turned off in',
  'missing environment': 'there is no environment',
} as const

const severityTones: Readonly<Record<PlannedKey['issues'][number]['severity'], Tone>> = {
  high: 'bad',
  medium: 'warn',
  low: 'neutral',
}

function Issues({ row: { issues, problems } }: Pick<PlanRowProps, 'row'>) {
  if (issues.length === 0 && problems.length === 0) {
    return <span className="text-muted">None</span>
  }
  return (
    <ul className="flex min-w-0 flex-col gap-2">
      {problems.map((problem) => (
        <li key={problem} className="wrap-anywhere text-bad">
          {problem}
        </li>
      ))}
      {issues.map(({ code, severity, cause, done, environment }) => (
        <li key={`${code} ${environment ?? ''} ${cause}`} className="wrap-anywhere">
          <span className="mr-2 inline-flex items-baseline gap-2 whitespace-nowrap">
            <Badge tone={severityTones[severity]}>{severity}</Badge>
            <span className="font-mono text-sm">{code}</span>
          </span>
          {cause} <span className="text-muted">{done}</span>
        </li>
      ))}
    </ul>
  )
}
