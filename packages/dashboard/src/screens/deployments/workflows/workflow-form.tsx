import { Fragment, useState, type FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import type { AnswerOf } from '../../../api/routes.ts'
import { useRead, useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { DialogActions } from '../../../components/dialog.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { fieldsOf } from '../../../browser/read-fields.ts'
import { FormProblem } from '../../../components/states.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { InputField } from './workflow-input-field.tsx'
import {
  findWorkflow,
  keyOfWorkflow,
  nameWorkflow,
  readInputs,
  unavailableReason,
  type Workflow,
} from './workflow-inputs.ts'
import { fillInputs, isOwnInput, type InputSource } from './fill-inputs.ts'
import type { StartedRun } from './started-run.ts'

type Repository =
  AnswerOf<'GET /organizations/{org_id}/integrations/codehost'>['repositories'][number]

/** Names what a workflow is run for. */
export type Purpose = 'run' | 'test' | 'deploy'

const submitLabels: Readonly<Record<Purpose, string>> = {
  run: 'Run workflow',
  test: 'Run tests',
  deploy: 'Deploy again',
}

interface WorkflowFormProps {
  readonly workflows: readonly Workflow[]
  readonly repositories: readonly Repository[]
  readonly at?: string | undefined
  readonly deploymentId?: string | undefined
  readonly workflowId?: string | undefined
  readonly source?: InputSource | undefined
  readonly purpose?: Purpose | undefined
  readonly onClose: () => void
  readonly onStarted: (started: StartedRun) => void
}

/** Renders the choice of the workflow, the branch or tag, and the declared inputs. */
export function WorkflowForm(props: WorkflowFormProps) {
  const { repositories, at, deploymentId, workflowId, onClose, onStarted } = props
  const { source, purpose = 'run' } = props
  const workflows = toOffered(purpose, props.workflows, source)
  const [chosen, setChosen] = useState(() =>
    firstChoice(workflows, { workflowId, purpose, source }),
  )
  const dispatch = useWrite(
    'POST /organizations/{org_id}/integrations/codehost/workflows/{workflow_id}/dispatch',
  )
  const workflow = useInterface(workflows.find((one) => keyOfWorkflow(one) === chosen))
  const repository = repositories.find(({ id }) => id === workflow?.repositoryId)
  const problem = dispatch.error
  const filled = fillInputs(workflow?.inputs ?? [], source)
  const isAboutRef = problem?.code === 'ref_not_found'

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (workflow === undefined) return
    const field = fieldsOf(event.currentTarget)
    dispatch.mutate({
      params: { workflow_id: workflow.id },
      body: {
        ...readBody(workflow, field, filled),
        ...(deploymentId !== undefined && { deploymentId }),
      },
      onSuccess: onStarted,
    })
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <FormProblem problem={isAboutRef ? null : problem} />
      <MakerNote purpose={purpose} source={source} workflowId={workflowId} />
      <WorkflowChoice
        workflows={workflows}
        repositories={repositories}
        chosen={chosen}
        help={workflow && `${repository?.fullName ?? ''} ${workflow.path}`}
        onChoose={setChosen}
      />
      <RefField key={`ref ${chosen}`} initial={at ?? repository?.defaultBranch} problem={problem} />
      {workflow !== undefined && <Inputs workflow={workflow} filled={filled} problem={problem} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          pending={dispatch.isPending}
          disabled={workflow === undefined}
        >
          {submitLabels[purpose]}
        </Button>
      </DialogActions>
    </form>
  )
}

interface RefFieldProps {
  readonly initial: string | undefined
  readonly problem: ApiProblem | null
}

function RefField({ initial = '', problem }: RefFieldProps) {
  const isAboutRef = problem?.code === 'ref_not_found'
  return (
    <TextField
      label="Branch or tag"
      name="ref"
      defaultValue={initial}
      required
      spellCheck={false}
      error={isAboutRef ? problem.message : problem?.errorOf('/ref')}
    />
  )
}

function readBody(
  { repositoryId, inputs }: Workflow,
  field: (name: string) => string,
  filled: ReadonlyMap<string, string>,
) {
  const open = (inputs ?? []).filter((input) => !filled.has(input.name) && !isOwnInput(input))
  const values = { ...Object.fromEntries(filled), ...readInputs(open, field) }
  return {
    ref: field('ref').trim(),
    repositoryId,
    ...(Object.keys(values).length > 0 && { inputs: values }),
  }
}

/** Returns the workflows to choose from: what deploys again is one of the deployment's repository. */
function toOffered(
  purpose: Purpose,
  workflows: readonly Workflow[],
  source: InputSource | undefined,
): readonly Workflow[] {
  const repositoryId = source?.codehostRepositoryId ?? null
  return purpose === 'deploy' && repositoryId !== null
    ? workflows.filter((workflow) => workflow.repositoryId === repositoryId)
    : workflows
}

type MakerNoteProps = Pick<WorkflowFormProps, 'source' | 'workflowId'> & {
  readonly purpose: Purpose
}

/** Says why a workflow is chosen already, or why it isn't: another one would deploy something else. */
function MakerNote({ purpose, source, workflowId }: MakerNoteProps) {
  const host = useProviderName('codehost')
  if (purpose !== 'deploy') return null
  const maker = source?.madeBy ?? undefined
  const text =
    maker === undefined
      ? `${host} didn’t say which workflow made this deployment. Choose the one that deploys.`
      : workflowId === maker.id
        ? `A run of ${maker.name} made this deployment.`
        : `A run of ${maker.name} made this deployment, but it has no manual trigger. Choose another one that deploys.`
  return <p className="text-sm text-muted">{text}</p>
}

/** Returns a workflow with its inputs, which a list of many workflows leaves out. */
function useInterface(listed: Workflow | undefined): Workflow | undefined {
  const query = listed === undefined ? {} : { repositoryId: listed.repositoryId }
  const { data } = useRead('GET /organizations/{org_id}/integrations/codehost/workflows', {
    query,
    enabled: listed !== undefined,
  })
  return data?.items.find(({ id }) => id === listed?.id) ?? listed
}

/** Returns the requested workflow, or else the first that can be started. A person chooses what deploys. */
function firstChoice(
  workflows: readonly Workflow[],
  {
    workflowId,
    purpose = 'run',
    source,
  }: Pick<WorkflowFormProps, 'workflowId' | 'purpose' | 'source'>,
): string {
  const own = workflows.filter(({ repositoryId }) => repositoryId === source?.codehostRepositoryId)
  const requested =
    workflowId === undefined ? undefined : findWorkflow([...own, ...workflows], workflowId)
  const isOpen = requested === undefined && purpose !== 'deploy'
  const first = isOpen ? workflows.find(({ dispatchable }) => dispatchable) : requested
  return first === undefined ? '' : keyOfWorkflow(first)
}

interface WorkflowChoiceProps {
  readonly workflows: readonly Workflow[]
  readonly repositories: readonly Repository[]
  readonly chosen: string
  readonly help: string | undefined
  /** Called with the key of a workflow. */
  readonly onChoose: (chosen: string) => void
}

function WorkflowChoice(props: WorkflowChoiceProps) {
  const { workflows, repositories, chosen, help, onChoose } = props
  return (
    <SelectField
      label="Workflow"
      value={chosen}
      required
      onChange={({ target }) => onChoose(target.value)}
      help={help}
    >
      {chosen === '' && (
        <option value="">
          {workflows.some(({ dispatchable }) => dispatchable)
            ? 'Choose a workflow'
            : 'No workflow has a manual trigger'}
        </option>
      )}
      {workflows.map((one) => {
        const reason = unavailableReason(one)
        const name = nameWorkflow(one, { workflows, repositories })
        return (
          <option
            key={keyOfWorkflow(one)}
            value={keyOfWorkflow(one)}
            disabled={reason !== undefined}
          >
            {reason === undefined ? name : `${name} (${reason})`}
          </option>
        )
      })}
    </SelectField>
  )
}

interface InputsProps {
  readonly workflow: Workflow
  /** Holds the values that a person need not enter, by input. */
  readonly filled: ReadonlyMap<string, string>
  readonly problem: ApiProblem | null
}

/** Shows a field for each input that a person decides, and what Signalbox fills in. */
function Inputs({ workflow: { id, inputs }, filled, problem }: InputsProps) {
  if (inputs === null) {
    return (
      <p className="text-sm text-muted">
        Signalbox couldn&apos;t read the workflow&apos;s file, so it starts with the default inputs.
      </p>
    )
  }
  const open = inputs.filter((input) => !filled.has(input.name) && !isOwnInput(input))
  return (
    <>
      {open.map((input) => (
        <InputField
          key={`${id} ${input.name}`}
          input={input}
          error={problem?.errorOf(`/inputs/${input.name}`)}
        />
      ))}
      {filled.size > 0 && <Filled values={filled} />}
    </>
  )
}

function Filled({ values }: { readonly values: ReadonlyMap<string, string> }) {
  return (
    <section aria-label="Filled in from the deployment" className="rounded-md bg-raised px-3 py-2">
      <h3 className="text-sm font-medium">Filled in from the deployment</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
        {[...values].map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="font-mono wrap-anywhere">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
