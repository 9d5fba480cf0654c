import {
  ArrowUp,
  CircleCheck,
  CircleDashed,
  CircleX,
  Rocket,
  SearchX,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { deploymentStates } from '@signalbox/contract'
import { useList, useRead } from '../../../api/use-api.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../components/states.tsx'
import { groupDays, nameDay } from '../../../components/group-days.ts'
import { Row } from '../../../components/table.tsx'
import type { AnswerOf } from '../../../api/routes.ts'
import { PathLink } from '../../../session/path-link.tsx'
import type { SyncControl } from '../sync/use-sync.ts'
import { DeploymentBadge } from '../badges.tsx'
import { deploymentVariants } from '../states.ts'
import { SyncButton } from '../sync/sync-button.tsx'
import { isNarrowed, toQuery, type Filter } from './filter.ts'
import { splitNew } from './split-new.ts'
import type { Deployment } from './deployment.ts'
import { DeploymentRow } from './deployment-row.tsx'

interface DeploymentListProps {
  readonly filter: Filter
  readonly sync: SyncControl
  readonly onClear: () => void
}

/** Shows the deployments that match a filter, page by page. */
export function DeploymentList({ filter, sync, onClear }: DeploymentListProps) {
  const list = useList('GET /organizations/{org_id}/deployments', { query: toQuery(filter) })
  return (
    <Loaded query={list} skeleton={<Skeleton lines={10} />}>
      {(items) => {
        if (items.length > 0) {
          return (
            <>
              <Readable items={items} />
              <MoreButton list={list} />
              <StateLegend />
            </>
          )
        }
        return isNarrowed(filter) ? (
          <EmptyState
            icon={SearchX}
            title="No matching deployments"
            action={<Button onClick={onClear}>Clear the filters</Button>}
          >
            No deployment matches all of the filters.
          </EmptyState>
        ) : (
          <Diagnosis sync={sync} />
        )
      }}
    </Loaded>
  )
}

/** Keeps new deployments behind a button, so that nothing moves while a person reads. */
function Readable({ items }: { readonly items: readonly Deployment[] }) {
  const [top, setTop] = useState<Pick<Deployment, 'id' | 'createdAt'> | undefined>(items[0])
  const { fresh, former } = splitNew(items, top)
  const showAll = () => {
    setTop(items[0])
    scrollTo({ top: 0 })
  }
  return (
    <div className="min-w-0">
      {/* Above the list and not before it, or it would move what is read. */}
      <div role="status" className="sticky top-2 z-10 flex h-0 justify-center overflow-visible">
        {fresh.length > 0 && (
          <div className="h-8 -translate-y-3 rounded-md shadow-lg">
            <Button variant="primary" icon={ArrowUp} onClick={showAll}>
              {fresh.length} new
            </Button>
          </div>
        )}
      </div>
      <DeploymentTable items={former} />
    </div>
  )
}

/** Explains the states of deployments, for people who ask. */
function StateLegend() {
  return (
    <details className="text-sm">
      <summary className="text-muted">What the states mean</summary>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5">
        {deploymentStates.map((state) => (
          <div key={state} className="contents">
            <dt>
              <DeploymentBadge state={state} />
            </dt>
            <dd className="text-muted">{deploymentVariants[state].meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/**
 * Shows deployments by day in the reader's time zone, newest first. On narrow screens, the cells of a row flow in
 * lines. The roles are explicit, because browsers drop them where CSS lays a table out as something else. The titles of
 * the columns are for screen readers: what a column holds can be seen.
 */
function DeploymentTable({ items }: { readonly items: readonly Deployment[] }) {
  const now = new Date()
  return (
    <div className="min-w-0 overflow-x-clip rounded-lg border border-line bg-panel">
      <table role="table" className="table table-fixed max-lg:block">
        <caption className="sr-only">Deployments, newest first</caption>
        <colgroup>
          <col className="w-32" />
          <col className="w-32" />
          <col />
          <col className="w-72" />
          <col className="w-40" />
        </colgroup>
        <thead role="rowgroup" className="sr-only">
          <Row>
            {['State', 'Environment', 'Commit', 'Tests and message', 'Deployed'].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </Row>
        </thead>
        {groupDays(items, ({ createdAt }) => createdAt).map(({ date, items: ofDay }) => (
          <tbody role="rowgroup" key={date} className="max-lg:block">
            <Row className="bg-raised/60 max-lg:block hover:bg-raised/60!">
              <th
                role="rowheader"
                scope="rowgroup"
                colSpan={5}
                className="h-6 py-0! max-lg:block max-lg:py-1!"
              >
                <span className="font-medium text-text">{nameDay(date, now)}</span>{' '}
                <span>{ofDay.length}</span>
              </th>
            </Row>
            {ofDay.map((deployment) => (
              <DeploymentRow key={deployment.id} deployment={deployment} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

type Check = AnswerOf<'GET /organizations/{org_id}/deployments/diagnosis'>['checks'][number]

/** Explains why there are no deployments: the server's checks, and the action that repairs the first failed one. */
function Diagnosis({ sync }: { readonly sync: SyncControl }) {
  const diagnosis = useRead('GET /organizations/{org_id}/deployments/diagnosis')
  return (
    <section
      aria-labelledby="why-empty"
      className="mx-auto flex w-full max-w-2xl flex-col gap-4 py-8"
    >
      <header className="flex flex-col items-center gap-2 text-center">
        <Rocket aria-hidden size={28} className="text-muted" />
        <h2 id="why-empty" className="text-lg font-semibold">
          No deployments yet
        </h2>
        <p className="text-muted">
          Each deployment will show its commits, issues, tests and message here. Checks:
        </p>
      </header>
      <Loaded query={diagnosis} skeleton={<Skeleton lines={5} />}>
        {({ checks }) => <Checks checks={checks} sync={sync} />}
      </Loaded>
    </section>
  )
}

function Checks({
  checks,
  sync,
}: {
  readonly checks: readonly Check[]
  readonly sync: SyncControl
}) {
  const first = checks.find(({ state }) => state === 'problem')
  return (
    <>
      <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
        {checks.map((check) => (
          <CheckRow key={check.code} check={check} isFirst={check === first} />
        ))}
      </ol>
      {first === undefined && (
        <div className="flex flex-col items-center gap-3 text-center">
          <p className="text-muted">
            All checks passed. The next deployment appears here automatically. A sync fetches
            earlier ones.
          </p>
          <SyncButton control={sync} />
        </div>
      )}
    </>
  )
}

const variants: Readonly<
  Record<
    Check['state'],
    { readonly icon: LucideIcon; readonly word: string; readonly color: string }
  >
> = {
  ok: { icon: CircleCheck, word: 'Passed', color: 'text-ok' },
  problem: { icon: CircleX, word: 'Problem', color: 'text-bad' },
  unknown: { icon: CircleDashed, word: 'Not checked yet', color: 'text-muted' },
}

function CheckRow({ check, isFirst }: { readonly check: Check; readonly isFirst: boolean }) {
  const { icon: Icon, word, color } = variants[check.state]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <Icon aria-label={word} role="img" size={16} className={color} />
      <div className="min-w-48 flex-1">
        <p className={check.state === 'problem' ? 'font-medium' : ''}>{check.title}</p>
        {/* The picture says it of all that come after what is to be fixed first. */}
        {check.state !== 'unknown' && (
          <p className="text-sm break-words text-muted">{check.detail}</p>
        )}
      </div>
      {check.next !== null && (
        <PathLink path={check.next.href} className={buttonClass(isFirst ? 'primary' : 'plain')}>
          {check.next.label}
        </PathLink>
      )}
    </li>
  )
}
