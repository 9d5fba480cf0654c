import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/use-api.ts'
import { RunWorkflow } from '../workflows/run-workflow.tsx'
import { SyncButton } from '../sync/sync-button.tsx'
import { SyncProgress } from '../sync/sync-progress.tsx'
import { useSync, type SyncControl } from '../sync/use-sync.ts'
import { Page } from '../../../components/page.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { DeploymentPage } from './deployment-page.tsx'
import type { DeploymentSearch } from './search.ts'

const route = '/$org/deployments/$deploymentId'

/** Shows one deployment: its steps, its commits, and the actions that repair a failed step. */
export function DeploymentScreen() {
  const { deploymentId } = useParams({ from: route })
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: route })
  const { params, can } = useOrganization()
  const change = (changes: DeploymentSearch) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true })
  const sync = useSync({ syncId: search.sync, onStarted: (syncId) => change({ sync: syncId }) })
  const deployment = useRead('GET /organizations/{org_id}/deployments/{deployment_id}', {
    params: { ...params, deployment_id: deploymentId },
  })
  const progress = <SyncProgress control={sync} onClose={() => change({ sync: undefined })} />
  if (deployment.error?.status === 404) return <Unknown sync={sync}>{progress}</Unknown>
  return (
    <>
      <Loaded
        query={deployment}
        skeleton={<Skeleton lines={10} />}
        around={(instead) => <Page title="Deployment">{instead}</Page>}
      >
        {(detail) => (
          <DeploymentPage
            // Open parts belong to one deployment, so another one starts with everything closed.
            key={detail.id}
            detail={detail}
            sync={sync}
            progress={progress}
            onRun={(ref) => change({ run: ref })}
          />
        )}
      </Loaded>
      {search.run !== undefined && can('developer') && (
        <RunWorkflow
          at={search.run}
          deploymentId={deploymentId}
          onClose={() => change({ run: undefined })}
        />
      )}
    </>
  )
}

interface UnknownProps {
  readonly sync: SyncControl
  readonly children: ReactNode
}

/** Shows that the deployment is unknown, perhaps because it has not been fetched yet. */
function Unknown({ sync, children }: UnknownProps) {
  return (
    <Page title="Deployment">
      {children}
      <EmptyState icon={SearchX} title="No such deployment" action={<SyncButton control={sync} />}>
        A sync fetches what your code host hasn&apos;t reported yet. The deployment may also belong
        to an organization that you aren&apos;t a member of.
      </EmptyState>
    </Page>
  )
}
