import { useState } from 'react'
import { useRead } from '../../../api/use-api.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { DocsLink } from '../../../components/docs-link.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../components/states.tsx'
import { PageLink } from '../../../session/page-link.tsx'
import { explainLack, useLack, type Capability } from '../../../session/use-capability.ts'
import { useMissingTitle, useProviderName } from '../../../session/use-provider-name.ts'
import { DispatchProgress } from './dispatch-progress.tsx'
import { WorkflowForm, type Purpose } from './workflow-form.tsx'
import type { InputSource } from './fill-inputs.ts'
import type { StartedRun } from './started-run.ts'

interface RunWorkflowProps {
  /** Holds the initial branch or tag. */
  readonly at?: string | undefined
  /** Holds the id of the deployment to test. */
  readonly deploymentId?: string | undefined
  /** Holds the id of the initial workflow. */
  readonly workflowId?: string | undefined
  /** Holds the deployment that fills the inputs. */
  readonly source?: InputSource | undefined
  /** Says what the workflow is run for. Default `run`: whatever it does. */
  readonly purpose?: Purpose | undefined
  /** Called with a start that the page follows. The dialog follows it where this is left out. */
  readonly onStarted?: ((started: StartedRun) => void) | undefined
  readonly onClose: () => void
}

/** Maps each purpose to the title of its dialog. */
const titles: Readonly<Record<Purpose, string>> = {
  run: 'Run a workflow',
  test: 'Run tests',
  deploy: 'Deploy it again',
}

/** Starts a workflow of the code host on a branch or tag, and follows it until its run is known. */
export function RunWorkflow(props: RunWorkflowProps) {
  const { onClose, purpose = 'run' } = props
  const host = useProviderName('codehost')
  const [started, setStarted] = useState<StartedRun>()
  return (
    <Dialog
      title={titles[purpose]}
      description={`Runs on ${host} at the tip of the branch or tag.`}
      onClose={onClose}
    >
      {started === undefined ? (
        <Choice {...props} onStarted={props.onStarted ?? setStarted} />
      ) : (
        <>
          <DispatchProgress started={started} />
          <DialogActions>
            <Button onClick={() => setStarted(undefined)}>Run another</Button>
            <Button variant="primary" onClick={onClose} autoFocus>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

/** Lists the problems that a retry cannot solve, because nobody has connected the code host. */
const unconnected: ReadonlySet<string> = new Set(['integration_not_connected', 'reauth_required'])

interface ChoiceProps extends RunWorkflowProps {
  readonly onStarted: (started: StartedRun) => void
}

function Choice(props: ChoiceProps) {
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows')
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost')
  const name = useProviderName('codehost')
  const missingTitle = useMissingTitle('codehost')
  const lack = useLack('codehost', 'startWorkflows')
  if (lack !== undefined) return <NotRunnable lack={lack} name={name} />
  if (unconnected.has(workflows.error?.code ?? '')) {
    return (
      <EmptyState
        title={missingTitle}
        action={
          <PageLink
            to={{ page: 'integration', params: { kind: 'codehost' } }}
            className={buttonClass('primary')}
          >
            Connect {name}
          </PageLink>
        }
      >
        Workflows come from its repositories and run there.
      </EmptyState>
    )
  }
  return (
    <Loaded query={workflows} skeleton={<Skeleton lines={3} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState
            title="No workflows"
            action={
              <PageLink
                to={{ page: 'integration', params: { kind: 'codehost' } }}
                className={buttonClass('plain')}
              >
                Open the integrations
              </PageLink>
            }
          >
            Signalbox reads workflows from tracked repositories. Track a repository that has one.
            <p className="mt-2">
              <DocsLink page="integrations#the-workflow">What a workflow needs</DocsLink>
            </p>
          </EmptyState>
        ) : (
          <WorkflowForm
            workflows={items}
            repositories={codehost.data?.repositories ?? []}
            {...props}
          />
        )
      }
    </Loaded>
  )
}

interface NotRunnableProps {
  readonly lack: Capability
  /** Holds the name of the code host. */
  readonly name: string
}

/** Says why the connected code host lets Signalbox start nothing, and leads to where that is changed. */
function NotRunnable({ lack, name }: NotRunnableProps) {
  return (
    <EmptyState
      title={`Signalbox can’t run it on ${name}`}
      action={
        <PageLink
          to={{ page: 'integration', params: { kind: 'codehost' } }}
          className={buttonClass('primary')}
        >
          Open {name}
        </PageLink>
      }
    >
      {explainLack(lack)}
    </EmptyState>
  )
}
