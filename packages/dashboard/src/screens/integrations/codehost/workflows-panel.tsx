import { Play } from 'lucide-react'
import { useRead, useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Prose } from '../../../components/code.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem, Loaded } from '../../../components/states.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { RunWorkflow } from '../../deployments/workflows/run-workflow.tsx'
import { keyOfWorkflow, type Workflow } from '../../deployments/workflows/workflow-inputs.ts'
import { usePanel } from '../use-panel.ts'
import type { Codehost } from './codehost.ts'

/**
 * Shows the workflows of the tracked repositories, each with the button that runs it, or the reason why it cannot be
 * run from here.
 */
export function WorkflowsPanel({ status }: { readonly status: Codehost }) {
  const { repositories } = status
  const keys = useKeyWorkflows(status)
  const { can } = useOrganization()
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows')
  const { panel, of, open, close } = usePanel()
  const hostName = useProviderName('codehost')
  const lack = useLack('codehost', 'startWorkflows')
  const nameOf = (id: string) => repositories.find((one) => one.id === id)?.fullName ?? id
  return (
    <Panel title="Workflows" flush>
      {lack !== undefined && (
        <p className="border-b border-line p-4 text-muted">{explainLack(lack)}</p>
      )}
      {(lack === undefined || !workflows.isError) && (
        <Loaded query={workflows}>
          {({ items, isSyncing }) =>
            items.length === 0 ? (
              <p role="status" className="p-4 text-muted">
                {describeNone(isSyncing, hostName)}
              </p>
            ) : (
              <>
                {lack === undefined && <KeyWorkflowsChoice workflows={items} keys={keys} />}
                <WorkflowTable
                  items={items}
                  nameOf={nameOf}
                  isRunnable={lack === undefined}
                  keys={keys}
                  onRun={(workflow) => open({ panel: 'run', of: keyOfWorkflow(workflow) })}
                />
              </>
            )
          }
        </Loaded>
      )}
      {panel === 'run' && can('developer') && lack === undefined && (
        <RunWorkflow workflowId={of} onClose={close} />
      )}
    </Panel>
  )
}

function describeNone(isSyncing: boolean, hostName: string): string {
  return isSyncing
    ? `Signalbox is fetching the repositories from ${hostName}. Their workflows appear here soon.`
    : `No tracked repository has a workflow. Workflows from ${hostName} appear here once a repository has one.`
}

interface WorkflowTableProps {
  readonly items: readonly Workflow[]
  readonly nameOf: (repositoryId: string) => string
  /** Says whether the connected provider lets Signalbox start workflows at all. */
  readonly isRunnable: boolean
  readonly keys: KeyWorkflows
  readonly onRun: (workflow: Workflow) => void
}

function WorkflowTable({ items, nameOf, isRunnable, keys, onRun }: WorkflowTableProps) {
  const chosen = isRunnable ? keys.chosen : null
  const hostName = useProviderName('codehost')
  const { can } = useOrganization()
  return (
    <Table
      columns={[
        'Workflow',
        ...(chosen === null ? [] : ['API keys']),
        { title: 'Run it', kind: 'actions' },
      ]}
    >
      {items.map((workflow) => (
        <Row key={keyOfWorkflow(workflow)}>
          <Cell>
            <div className="font-medium wrap-anywhere">
              <bdi>{workflow.name}</bdi>
            </div>
            <div className="text-sm wrap-anywhere text-muted">
              {nameOf(workflow.repositoryId)}{' '}
              <span className="font-mono wrap-anywhere">{workflow.path}</span>
            </div>
            {isRunnable && !workflow.dispatchable && (
              <div className="text-sm text-muted">
                <Prose text={toSentence(workflow, hostName)} />
              </div>
            )}
          </Cell>
          {chosen !== null && (
            <Cell>
              <KeyWorkflowBox workflow={workflow} chosen={chosen} keys={keys} />
            </Cell>
          )}
          <Cell className="text-right">
            {isRunnable && workflow.dispatchable && can('developer') && (
              <Button icon={Play} onClick={() => onRun(workflow)}>
                Run<span className="sr-only"> {workflow.name}</span>
              </Button>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function toSentence(workflow: Workflow, hostName: string): string {
  const { state, dispatchable, startableAdvice } = workflow
  if (dispatchable) return ''
  if (state !== 'active') return `Disabled on ${hostName}.`
  return startableAdvice === null
    ? 'No manual trigger.'
    : `No manual trigger. To add one, ${startableAdvice}.`
}

/** Limits how many may be chosen, as the endpoint does. */
const chosenMax = 200

type Chosen = Codehost['keyWorkflows']

/** Holds the workflows that API keys start, and changes them. */
interface KeyWorkflows {
  /** `null`: all. */
  readonly chosen: Chosen
  readonly mayChange: boolean
  readonly problem: Parameters<typeof FormProblem>[0]['problem']
  readonly save: (next: Chosen) => void
}

/** Reads and changes the workflows that API keys start. */
function useKeyWorkflows({ keyWorkflows }: Pick<Codehost, 'keyWorkflows'>): KeyWorkflows {
  const { can } = useOrganization()
  const update = useWrite('PUT /organizations/{org_id}/integrations/codehost/key-workflows')
  return {
    chosen: keyWorkflows,
    mayChange: can('admin'),
    problem: update.error,
    save: (next) => {
      // A press adds to the list that is shown, which is old until the one before is saved.
      if (!update.isPending) update.mutate({ body: { keyWorkflows: next } })
    },
  }
}

interface KeyWorkflowsChoiceProps {
  readonly workflows: readonly Workflow[]
  readonly keys: KeyWorkflows
}

/**
 * Says whether API keys start every workflow, and restricts them to the ones that are chosen in the list below. At first these
 * are all that can be started, so that no pipeline fails before an admin has taken one away.
 */
function KeyWorkflowsChoice({ workflows, keys }: KeyWorkflowsChoiceProps) {
  const { chosen, mayChange, problem, save } = keys
  const startable = workflows
    .filter(({ dispatchable }) => dispatchable)
    .map(({ id, repositoryId }) => ({ repositoryId, workflowId: id }))
  const first = startable.length > chosenMax ? [] : startable
  return (
    <div className="flex flex-col gap-2 border-b border-line p-4">
      <FormProblem problem={problem} />
      <label className="flex flex-wrap items-center gap-2">
        <span>API keys start</span>
        <select
          className="control w-auto"
          disabled={!mayChange}
          value={chosen === null ? 'all' : 'chosen'}
          onChange={({ target }) => save(target.value === 'all' ? null : first)}
        >
          <option value="all">every workflow</option>
          <option value="chosen">only the workflows chosen below</option>
        </select>
      </label>
      {chosen?.length === 0 && (
        <p className="text-muted">None is chosen, so API keys start no workflow.</p>
      )}
    </div>
  )
}

interface KeyWorkflowBoxProps {
  readonly workflow: Workflow
  readonly chosen: NonNullable<Chosen>
  readonly keys: Pick<KeyWorkflows, 'mayChange' | 'save'>
}

/** Chooses a workflow for API keys. */
function KeyWorkflowBox({ workflow, chosen, keys }: KeyWorkflowBoxProps) {
  const { id, repositoryId, name, path } = workflow
  const others = chosen.filter(
    (one) =>
      one.repositoryId !== repositoryId ||
      (one.workflowId !== id && !path.endsWith(`/${one.workflowId}`)),
  )
  return (
    <label className="flex size-7 items-center justify-center">
      <input
        type="checkbox"
        aria-label={`API keys start ${name}`}
        className="size-5 accent-accent"
        disabled={!keys.mayChange}
        checked={others.length < chosen.length}
        onChange={({ target }) =>
          keys.save(target.checked ? [...chosen, { repositoryId, workflowId: id }] : others)
        }
      />
    </label>
  )
}
