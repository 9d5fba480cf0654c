import { empty, json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { findRef } from '../../../../../../sandbox/src/models/git.ts'
import { notFound, refuse } from '../errors.ts'
import { fullNameOf, repositoryUrl } from '../shapes/repository.ts'
import { toWorkflow } from '../shapes/workflow.ts'
import type { GithubRepository, GithubWorkflow, GithubWorkflowInput } from '../state.ts'
import { createInput } from './create-input.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const read = ['actions', 'read'] as const
const write = ['actions', 'write'] as const
const inputsMax = 25

/** Creates the routes of workflows, by id or by file name, and the dispatch: the only way to start a run from outside. */
export function createWorkflowRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /actions/workflows', read, listWorkflows),
    toRoute(deps, 'GET /actions/workflows/:workflow', read, ({ repository, addresses, params }) => {
      const workflow = findWorkflow(repository, params['workflow'])
      return workflow === undefined ? notFound() : json(toWorkflow(addresses, repository, workflow))
    }),
    toRoute(deps, 'POST /actions/workflows/:workflow/dispatches', write, (request) =>
      dispatch(deps, request),
    ),
  ]
}

/** Returns the workflow of this id or file name. Example: `e2e.yml`. */
export function findWorkflow(
  { workflows }: GithubRepository,
  idOrFile = '',
): GithubWorkflow | undefined {
  if (/^\d+$/.test(idOrFile)) return workflows.get(Number(idOrFile))
  return [...workflows.values()].find(({ path }) => path.endsWith(`/${idOrFile}`))
}

function listWorkflows(request: RepositoryRequest): Answer {
  const { repository, addresses } = request
  const all = [...repository.workflows.values()]
  const { items, headers } = pageOf(request, all)
  const workflows = items.map((item) => toWorkflow(addresses, repository, item))
  return json({ total_count: all.length, workflows }, 200, headers)
}

function dispatch({ activity }: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, addresses, params, actor } = request
  const workflow = findWorkflow(repository, params['workflow'])
  if (workflow === undefined) return notFound()
  const input = createInput(request)
  const ref = input.requiredText('ref')
  const inputValues = input.object('inputs') ?? {}
  const wantsDetails = input.boolean('return_run_details') === true
  const inputs = Object.fromEntries(
    Object.entries(inputValues).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const rejection = input.rejection() ?? refuseDispatch(workflow, inputs)
  if (rejection !== undefined) return rejection
  if (findRef(repository, ref) === undefined) return refuse(422, `No ref found for: ${ref}`)
  const event = 'workflow_dispatch'
  const run = activity.requestRun(repository, { workflow, event, ref, actor, inputs })
  if (!wantsDetails) return empty()
  return json({
    workflow_run_id: run.id,
    run_url: `${repositoryUrl(addresses, repository)}/actions/runs/${run.id}`,
    html_url: `${addresses.web}/${fullNameOf(repository)}/actions/runs/${run.id}`,
  })
}

function refuseDispatch(
  { state, inputs }: GithubWorkflow,
  values: Readonly<Record<string, string>>,
): Answer | undefined {
  const names = Object.keys(values)
  if (state !== 'active') {
    return refuse(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow")
  }
  if (inputs === undefined) {
    return refuse(422, "Workflow does not have 'workflow_dispatch' trigger")
  }
  if (names.length > inputsMax) {
    return refuse(422, `Only ${inputsMax} inputs are allowed for a workflow_dispatch event`)
  }
  const unknown = names.filter((name) => !inputs.some((input) => input.name === name))
  if (unknown.length > 0) {
    return refuse(422, `Unexpected inputs provided: ${JSON.stringify(unknown)}`)
  }
  return refuseValues(inputs, values)
}

function refuseValues(
  inputs: readonly GithubWorkflowInput[],
  values: Readonly<Record<string, string>>,
): Answer | undefined {
  for (const { name, required, default: otherwise, options } of inputs) {
    const value = values[name] ?? otherwise ?? ''
    if (required === true && value === '')
      return refuse(422, `Required input '${name}' not provided`)
    if (value !== '' && options?.includes(value) === false) {
      return refuse(
        422,
        `Provided value '${value}' for input '${name}' not in the list of allowed values`,
      )
    }
  }
  return undefined
}
