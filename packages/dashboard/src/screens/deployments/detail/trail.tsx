import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOrganization } from '../../../session/organization.ts'
import type { Detail } from './detail.ts'

/** Shows the way back to the list, and the deployments before and after in the same repository and environment. */
export function Trail({ detail }: { readonly detail: Detail }) {
  const { repository, hostEnvironment, older, newer } = detail
  const { slug } = useOrganization()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
      <nav aria-label="Breadcrumb">
        <ol className="flex min-w-0 flex-wrap items-center gap-1">
          <li>
            <Link
              to="/$org/deployments"
              params={{ org: slug }}
              className="inline-flex min-h-7 items-center"
            >
              Deployments
            </Link>
          </li>
          <li className="inline-flex min-w-0 items-center gap-1 text-muted">
            <ChevronRight aria-hidden size={14} className="shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <bdi>{repository}</bdi> in <bdi>{hostEnvironment}</bdi>
            </span>
          </li>
        </ol>
      </nav>
      {(older !== null || newer !== null) && (
        <nav aria-label="Deployments before and after" className="flex items-center gap-4">
          {older !== null && (
            <Neighbour to={older}>
              <ArrowLeft aria-hidden size={14} />
              Older
            </Neighbour>
          )}
          {newer !== null && (
            <Neighbour to={newer}>
              Newer
              <ArrowRight aria-hidden size={14} />
            </Neighbour>
          )}
        </nav>
      )}
    </div>
  )
}

interface NeighbourProps {
  readonly to: NonNullable<Detail['older']>
  readonly children: ReactNode
}

function Neighbour({ to: { id, sha }, children }: NeighbourProps) {
  const { slug } = useOrganization()
  return (
    <Link
      to="/$org/deployments/$deploymentId"
      params={{ org: slug, deploymentId: id }}
      title={`Commit ${sha.slice(0, 7)}`}
      className="inline-flex min-h-7 items-center gap-1"
    >
      {children}
    </Link>
  )
}
