import type { Change } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import { useOrganization } from '../../session/organization.ts'

/**
 * Offers to undo a change, with the permission: it restores the previous version, or runs the deployment of the
 * previous commit again.
 */
export function WayBack({ change: { wayBack, configuration } }: { readonly change: Change }) {
  const { slug, can } = useOrganization()
  if (wayBack === null || !can('developer')) return null
  const classes = 'inline-flex min-h-7 items-center'
  if (wayBack.kind === 'redeploy') {
    const params = { org: slug, deploymentId: wayBack.deploymentId }
    return (
      <Link to="/$org/deployments/$deploymentId" params={params} className={classes}>
        Back to {wayBack.sha.slice(0, 7)}
      </Link>
    )
  }
  if (configuration === null) return null
  const { schemaId, version } = configuration
  const search = {
    schema: schemaId,
    chosen: [wayBack.versionId],
    panel: 'restore',
  } as const
  return (
    <Link to="/$org/history" params={{ org: slug }} search={search} className={classes}>
      Back to version {version - 1}
    </Link>
  )
}
