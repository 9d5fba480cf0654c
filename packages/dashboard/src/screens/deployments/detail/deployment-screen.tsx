import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/use-api.ts'
import type { AnswerOf } from '../../../api/routes.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FollowedDispatch } from '../workflows/dispatch-progress.tsx'
import type { Detail } from './detail.ts'
import { RunWorkflow } from '../workflows/run-workflow.tsx'
import { SyncButton } from '../sync/sync-button.tsx'
import { SyncProgress } from '../sync/sync-progress.tsx'
import { useSync, type SyncControl } from '../sync/use-sync.ts'
import { Page } from '../../../components/page.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { useKeptDays } from '../../../session/session.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { DeploymentPage } from './deployment-page.tsx'
import type { DeploymentSearch } from './search.ts'

const route = '/$org/deployments/$deploymentId'

/** Shows one deployment: its steps, its commits, and the actions that repair a failed step. */
export function DeploymentScreen() {
  const { deploymentId } = useParams({ from: route })
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: route })
  const { can } = useOrganization()
  const change = (changes: DeploymentSearch) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true })
  const sync = useSync({ syncId: search.sync, onStarted: (syncId) => change({ sync: syncId }) })
  const deployment = useRead('GET /organizations/{org_id}/deployments/{deployment_id}', {
    params: { deployment_id: deploymentId },
  })
  const progress = (
    <>
      <SyncProgress control={sync} onClose={() => change({ sync: undefined })} />
      {search.dispatch !== undefined && (
        <DeployProgress
          dispatchId={search.dispatch}
          onClose={() => change({ dispatch: undefined })}
        />
      )}
    </>
  )
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
            onDeploy={() => change({ deploy: true })}
          />
        )}
      </Loaded>
      {can('developer') && (
        <WorkflowDialogs
          deploymentId={deploymentId}
          detail={deployment.data}
          search={search}
          onChange={change}
        />
      )}
    </>
  )
}

interface WorkflowDialogsProps {
  readonly deploymentId: string
  /** Left out until it is read. */
  readonly detail: Detail | undefined
  readonly search: DeploymentSearch
  readonly onChange: (changes: DeploymentSearch) => void
}

/** Renders the dialog of the address: the one that runs tests, or the one that deploys again. */
function WorkflowDialogs({ deploymentId, detail, search, onChange }: WorkflowDialogsProps) {
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost')
  return (
    <>
      {search.run !== undefined && (
        <RunWorkflow
          purpose="test"
          at={search.run}
          deploymentId={deploymentId}
          source={detail}
          workflowId={detail && findTestWorkflow(detail, codehost.data)}
          onClose={() => onChange({ run: undefined })}
        />
      )}
      {search.deploy === true && detail !== undefined && (
        <RunWorkflow
          purpose="deploy"
          {...(detail.refKind !== 'sha' && { at: detail.ref })}
          source={detail}
          workflowId={detail.deployWorkflow?.id}
          onStarted={({ dispatchId }) =>
            onChange({ deploy: undefined, dispatch: dispatchId ?? undefined })
          }
          onClose={() => onChange({ deploy: undefined })}
        />
      )}
    </>
  )
}

/** Returns the workflow that tests a repository, by the settings of the code host. */
function findTestWorkflow(
  { codehostRepositoryId }: Detail,
  codehost: AnswerOf<'GET /organizations/{org_id}/integrations/codehost'> | undefined,
): string | undefined {
  const rules = codehost?.testWorkflows ?? []
  const isOfIt = (repositoryId: string | undefined) =>
    repositoryId === undefined || repositoryId === codehostRepositoryId
  return rules.find(({ repositoryId }) => isOfIt(repositoryId))?.workflowId
}

interface DeployProgressProps {
  readonly dispatchId: string
  readonly onClose: () => void
}

/** Follows the workflow that deploys again to the end of its run. The deployment that it makes is the next one of the page. */
function DeployProgress({ dispatchId, onClose }: DeployProgressProps) {
  return (
    <Panel
      title="Deploying again"
      actions={
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <FollowedDispatch dispatchId={dispatchId} />
    </Panel>
  )
}

/** Shows that the deployment is unknown, perhaps because it has not been fetched yet. */
function Unknown({ sync, children }: Readonly<{ sync: SyncControl; children: ReactNode }>) {
  const host = useProviderName('codehost')
  const keptDays = useKeptDays()
  return (
    <Page title="Deployment">
      {children}
      <EmptyState icon={SearchX} title="No such deployment" action={<SyncButton control={sync} />}>
        A sync fetches what {host} hasn&apos;t reported yet. The deployment may also belong to an
        organization that you aren&apos;t a member of.
        {keptDays !== undefined &&
          ` This server deletes deployments that are older than ${keptDays} days.`}
      </EmptyState>
    </Page>
  )
}
