import { ArrowUp, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../../api/use-api.ts'
import type { SyncControl } from '../sync/use-sync.ts'
import { Button } from '../../../components/button.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { DeploymentTable } from './deployment-table.tsx'
import { Diagnosis } from './diagnosis.tsx'
import { isNarrowed, toQuery, type Filter } from './filter.ts'
import { splitNew } from './split-new.ts'
import type { Deployment } from './deployment.ts'
import { deploymentStates } from '@signalbox/contract'
import { DeploymentBadge } from '../badges.tsx'
import { deploymentVariants } from '../states.ts'

interface DeploymentListProps {
  readonly filter: Filter
  readonly sync: SyncControl
  readonly onClear: () => void
}

/** Shows the deployments that match a filter, page by page. */
export function DeploymentList({ filter, sync, onClear }: DeploymentListProps) {
  const { params } = useOrganization()
  const list = useList('GET /organizations/{org_id}/deployments', {
    params,
    query: toQuery(filter),
  })
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
