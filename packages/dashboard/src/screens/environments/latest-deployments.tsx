import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { DeploymentBadge } from '../deployments/badges.tsx'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'

type Overview = AnswerOf<'GET /organizations/{org_id}/overview'>
type Deployment = Overview['repositories'][number]['targets'][number]['latest']

/** Limits the repositories of a card. */
const shownAtFirst = 5

/**
 * Shows what is live of each repository in an environment, or its newest deployment where none is live. One read serves
 * all environments of the page.
 */
export function LatestDeployments({ environmentId }: { readonly environmentId: string }) {
  const { params, slug } = useOrganization()
  const { data, isError } = useRead('GET /organizations/{org_id}/overview', { params })
  if (isError) return <span className="text-muted">not known at the moment</span>
  if (data === undefined) return '…'
  const deployments = listDeployments(data, environmentId)
  if (deployments.length === 0) return <span className="text-muted">nothing yet</span>
  const more = deployments.length - shownAtFirst
  return (
    <ul className="flex flex-col">
      {deployments.slice(0, shownAtFirst).map((deployment) => (
        <li key={deployment.id}>
          <DeploymentLink deployment={deployment} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link to="/$org" params={{ org: slug }} search={{ repositories: 'all' }}>
            {more} more
          </Link>
        </li>
      )}
    </ul>
  )
}

/** Returns the deployments of an environment, one of each repository. */
function listDeployments(
  { environments, repositories }: Overview,
  environmentId: string,
): readonly Deployment[] {
  const tracked = repositories
    .flatMap(({ targets }) => targets)
    .filter((target) => target.environmentId === environmentId)
    .map(({ live, latest }) => live ?? latest)
  if (tracked.length > 0) return tracked
  // Of a repository that is not tracked any more.
  const latest = environments.find(({ id }) => id === environmentId)?.latest
  return latest === null || latest === undefined ? [] : [latest]
}

function DeploymentLink({ deployment }: { readonly deployment: Deployment }) {
  const { slug } = useOrganization()
  const { id, repository, sha, state, at } = deployment
  return (
    <Link
      to="/$org/deployments/$deploymentId"
      params={{ org: slug, deploymentId: id }}
      className="inline-flex min-h-7 max-w-full flex-wrap items-center gap-x-2"
    >
      <bdi className="w-full truncate">{repository}</bdi>
      <Sha sha={sha} /> <DeploymentBadge state={state} />
      <span className="text-sm text-muted">
        <Age at={at} />
      </span>
    </Link>
  )
}
