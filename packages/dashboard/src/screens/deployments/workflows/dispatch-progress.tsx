import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useRead } from '../../../api/use-api.ts'
import { buttonClass } from '../../../components/button.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { StateBadge } from '../badges.tsx'
import { testRunVariants } from '../states.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { dispatchVariants, describeDispatch, toDispatchVariant } from './describe-dispatch.ts'
import type { StartedRun } from './started-run.ts'

/** Shows the state of a workflow that was just started, updates it, and links to its run. */
export function DispatchProgress({ started }: { readonly started: StartedRun }) {
  return started.testRunId === null ? (
    <FollowedDispatch dispatchId={started.dispatchId ?? ''} started={started} />
  ) : (
    <OfTestRun testRunId={started.testRunId} started={started} />
  )
}

interface FollowedDispatchProps {
  readonly dispatchId: string
  /** Holds what is known before the first answer. */
  readonly started?: StartedRun
}

/** Shows a workflow that was started, updates it to the end of its run, and links to the run. */
export function FollowedDispatch({ dispatchId, started }: FollowedDispatchProps) {
  const host = useProviderName('codehost')
  const { data } = useRead(
    'GET /organizations/{org_id}/integrations/codehost/dispatches/{dispatch_id}',
    { params: { dispatch_id: dispatchId }, enabled: dispatchId !== '' },
  )
  const outcome = data ?? (started && { ...started, reason: null, runState: null })
  if (outcome === undefined) return null
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <StateBadge variant={toDispatchVariant(outcome)} />
      <p>{describeDispatch(outcome, host)}</p>
      <RunLink url={outcome.runUrl} />
    </div>
  )
}

/** Shows a workflow that tests a deployment as its test run, up to the result. */
function OfTestRun({ testRunId, started }: Readonly<{ testRunId: string; started: StartedRun }>) {
  const { slug } = useOrganization()
  const host = useProviderName('codehost')
  const { data: run } = useRead('GET /organizations/{org_id}/test-runs/{run_id}', {
    params: { run_id: testRunId },
  })
  const deploymentId = run?.deploymentId ?? null
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <StateBadge
        variant={run === undefined ? dispatchVariants[started.state] : testRunVariants[run.state]}
      />
      <p>
        {describeDispatch({ ...started, reason: null, runState: null }, host)} The result appears on
        the deployment.
      </p>
      <div className="flex flex-wrap gap-2">
        <RunLink url={run?.url ?? started.runUrl} />
        {deploymentId !== null && (
          <Link
            to="/$org/deployments/$deploymentId"
            params={{ org: slug, deploymentId }}
            className={buttonClass('quiet')}
          >
            Open the deployment
          </Link>
        )}
      </div>
    </div>
  )
}

function RunLink({ url }: { readonly url: string | null }) {
  if (url === null) return null
  return (
    <OutsideLink href={url} className={buttonClass('plain')}>
      Open the run
      <ExternalLink aria-hidden size={14} />
    </OutsideLink>
  )
}
