import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, ListFilter } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Change } from '@signalbox/contract/rest'
import { useList } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { groupDays, nameDay } from '../../components/group-days.ts'
import { Panel } from '../../components/panel.tsx'
import { ClockTime, timeZone } from '../../components/time.tsx'
import { useEnvironments, type Environment } from '../configs/environments.ts'
import { PeriodBar } from './period-bar.tsx'
import { toPeriod, type Period } from './period.ts'
import type { TimelineSearch } from './search.ts'
import { TimelineFilters } from './timeline-filters.tsx'
import { ChangeRow } from './change-row.tsx'
import { markMoment } from './mark-moment.ts'

const title = 'Timeline'

/** Shows everything that changed an environment, as one list: deployments, their tests, configuration, flags and requests. */
export function TimelineScreen() {
  const environments = useEnvironments()
  return (
    <Loaded query={environments} around={(instead) => <Page title={title}>{instead}</Page>}>
      {(all) => <Timeline environments={all} />}
    </Loaded>
  )
}

function Timeline({ environments }: { readonly environments: readonly Environment[] }) {
  const search = useSearch({ from: '/$org/timeline' })
  const navigate = useNavigate({ from: '/$org/timeline' })
  const change = useCallback(
    (changes: TimelineSearch) =>
      void navigate({ search: (now) => ({ ...now, ...changes }), replace: true }),
    [navigate],
  )
  const period = toPeriod(search, new Date())
  const { environment, repository, person, key, text, kinds, at } = search
  const changes = useList('GET /organizations/{org_id}/changes', {
    query: {
      limit: 50,
      foldTests: kinds === 'test_run' ? 'false' : 'true',
      environmentId: environment,
      repository,
      author: person,
      key,
      text,
      kinds,
      from: period.from,
      before: period.before,
    },
  })
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const used = Object.values(search).filter((value) => value !== undefined).length
  return (
    <Page title={title}>
      <Controls environments={environments} {...{ search, period, used }} onChange={change} />
      <Loaded query={changes}>
        {(items) =>
          items.length === 0 && at === undefined ? (
            <NoChanges
              isSearch={text !== undefined}
              onClear={used === 0 ? undefined : () => void navigate({ search: {}, replace: true })}
            />
          ) : (
            <>
              <ChangeList
                changes={items}
                search={search}
                hasMore={changes.hasNextPage}
                nameOf={(id) => names.get(id ?? '') ?? 'no environment'}
                onPerson={(name) => change({ person: name })}
                onKey={(name) => change({ key: name })}
              />
              <MoreButton list={changes} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

interface ControlsProps {
  readonly environments: readonly Environment[]
  readonly search: TimelineSearch
  readonly period: Period
  /** Counts the filters in use. */
  readonly used: number
  readonly onChange: (change: TimelineSearch) => void
}

/** Shows the period and the filters. On a phone they are behind a button, which shows how many are in use. */
function Controls({ environments, search, period, used, onChange }: ControlsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="Filters" className="flex flex-col gap-2">
      <div className="sm:hidden">
        <Button icon={ListFilter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {used === 0 ? 'Time and filters' : `Time and filters (${used})`}
        </Button>
      </div>
      <div className={`flex-col gap-2 sm:flex ${isOpen ? 'flex' : 'hidden'}`}>
        <PeriodBar search={search} period={period} onChange={onChange} />
        <TimelineFilters environments={environments} search={search} onChange={onChange} />
      </div>
    </section>
  )
}

interface NoChangesProps {
  readonly isSearch: boolean
  /** Left out where no filter is in use. */
  readonly onClear: (() => void) | undefined
}

function NoChanges({ isSearch, onClear }: NoChangesProps) {
  if (onClear !== undefined) {
    return (
      <EmptyState
        icon={Activity}
        title="Nothing changed here"
        action={<Button onClick={onClear}>Show everything</Button>}
      >
        No change matches this period and these filters.
        {isSearch &&
          ' The search covers the newest 10,000 changes of each kind. To search further back, choose an earlier period.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Activity}
      title="Nothing changed yet"
      action={
        <PageLink to={{ page: 'integrations' }} className={buttonClass('plain')}>
          Open integrations
        </PageLink>
      }
    >
      Deployments, configuration and flags appear here as one list. Each entry shows who made the
      change, why, and how to undo it.
    </EmptyState>
  )
}

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
function ChangeList(props: ChangeListProps) {
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
              environments={(change.request?.environmentIds ?? [change.environmentId]).map(nameOf)}
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
