import type { Change } from '@signalbox/contract/rest'
import { groupDays, nameDay } from '../../components/group-days.ts'
import { Panel } from '../../components/panel.tsx'
import { ClockTime, timeZone } from '../../components/time.tsx'
import { ChangeRow } from './change-row.tsx'
import { markMoment } from './mark-moment.ts'
import type { TimelineSearch } from './search.ts'

interface ChangeListProps {
  readonly changes: readonly Change[]
  /** Holds the moment and the change to mark, if any. */
  readonly search: Pick<TimelineSearch, 'at' | 'mark'>
  /** Says whether the server has more. */
  readonly hasMore: boolean
  readonly nameOf: (environmentId: string | null) => string
  readonly onPerson: (name: string) => void
  readonly onKey: (key: string) => void
}

/** Shows changes by day, newest first, with a mark where a moment lies among them. */
export function ChangeList(props: ChangeListProps) {
  const { changes, search, hasMore, nameOf, onPerson, onKey } = props
  const now = new Date()
  const entries = markMoment(changes, search, hasMore)
  return groupDays(entries, ({ at }) => at).map(({ date, items }, index) => (
    <Panel key={date} title={nameDay(date, now)} actions={index === 0 && <TimeZone />} flush>
      <ul className="divide-y divide-line">
        {items.map(({ at, change, isMarked }) =>
          change === undefined ? (
            <MomentMark key="moment" at={at} />
          ) : (
            <ChangeRow
              key={`${change.kind} ${change.id}`}
              change={change}
              environment={nameOf(change.environmentId)}
              isMarked={isMarked}
              onPerson={onPerson}
              onKey={onKey}
            />
          ),
        )}
      </ul>
    </Panel>
  ))
}

/** Says whose clock the times of the list are. */
function TimeZone() {
  return <span className="text-sm text-muted">Times in {timeZone}</span>
}

/** Marks a moment at which nothing changed. */
function MomentMark({ at }: { readonly at: string }) {
  return (
    <li
      aria-current="time"
      className="flex items-center gap-4 bg-info-ground px-4 py-1.5 text-info"
    >
      <span className="w-24 shrink-0 text-sm tabular-nums">
        <ClockTime at={at} />
      </span>
      <span className="text-sm font-medium">The moment you jumped to</span>
    </li>
  )
}
