import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { DeploymentBadge } from '../deployments/badges.tsx'
import { Sha } from '../../components/code.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'

/** Shows the latest deployment to an environment. One read serves all environments of the page. */
export function LatestDeployment({ environmentId }: { readonly environmentId: string }) {
  const { params, slug } = useOrganization()
  const { data, isError } = useRead('GET /organizations/{org_id}/overview', { params })
  const latest = data?.environments.find(({ id }) => id === environmentId)?.latest
  if (isError) return <span className="text-muted">not known at the moment</span>
  if (data === undefined) return '…'
  if (latest === null || latest === undefined)
    return <span className="text-muted">nothing yet</span>
  return (
    <Link
      to="/$org/deployments/$deploymentId"
      params={{ org: slug, deploymentId: latest.id }}
      className="inline-flex min-h-7 max-w-full flex-wrap items-center gap-x-2"
    >
      <Sha sha={latest.sha} /> <DeploymentBadge state={latest.state} />
      <span className="text-sm text-muted">
        <Age at={latest.at} />
      </span>
    </Link>
  )
}
