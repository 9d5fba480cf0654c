import type { Change } from '@signalbox/contract/rest'
import { Link } from '@tanstack/react-router'
import { useOrganization } from '../../session/organization.ts'
import { UndoKey } from './key-changes.tsx'

const classes = 'inline-flex min-h-7 items-center'

/**
 * Offers to undo a change of one key or to restore the version before a change, with the permission, or links to the
 * deployment before one.
 */
export function WayBack({ change }: { readonly change: Change }) {
  const { wayBack, configuration } = change
  const { slug, can } = useOrganization()
  if (wayBack === null) return null
  if (wayBack.kind === 'redeploy') {
    const params = { org: slug, deploymentId: wayBack.deploymentId }
    return (
      <Link to="/$org/deployments/$deploymentId" params={params} className={classes}>
        Previous: {wayBack.sha.slice(0, 7)}
      </Link>
    )
  }
  if (configuration === null || !can('developer')) return null
  const { schemaId, changes, total } = configuration
  const [only] = changes
  const search = {
    schema: schemaId,
    chosen: [wayBack.versionId],
    panel: 'restore',
  } as const
  return (
    <span className="flex flex-wrap gap-x-3">
      {total === 1 && only !== undefined && <UndoKey version={change} name={only.key} />}
      <Link to="/$org/history" params={{ org: slug }} search={search} className={classes}>
        Restore version {wayBack.version}…
      </Link>
    </span>
  )
}
