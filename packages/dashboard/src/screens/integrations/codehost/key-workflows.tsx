import { useWrite } from '../../../api/use-api.ts'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { Workflow } from '../../deployments/workflows/workflow-inputs.ts'
import type { Codehost } from './codehost.ts'

/** Limits how many may be chosen, as the endpoint does. */
const chosenMax = 200

type Chosen = Codehost['keyWorkflows']

/** Holds the workflows that API keys start, and changes them. */
export interface KeyWorkflows {
  /** `null`: all. */
  readonly chosen: Chosen
  readonly mayChange: boolean
  readonly problem: Parameters<typeof FormProblem>[0]['problem']
  readonly save: (next: Chosen) => void
}

/** Reads and changes the workflows that API keys start. */
export function useKeyWorkflows({ keyWorkflows }: Pick<Codehost, 'keyWorkflows'>): KeyWorkflows {
  const { params, can } = useOrganization()
  const update = useWrite('PUT /organizations/{org_id}/integrations/codehost/key-workflows')
  return {
    chosen: keyWorkflows,
    mayChange: can('admin'),
    problem: update.error,
    save: (next) => {
      // A press adds to the list that is shown, which is old until the one before is saved.
      if (!update.isPending) update.mutate({ params, body: { keyWorkflows: next } })
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
export function KeyWorkflowsChoice({ workflows, keys }: KeyWorkflowsChoiceProps) {
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
export function KeyWorkflowBox({ workflow, chosen, keys }: KeyWorkflowBoxProps) {
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
