import type { AnswerOf } from '../../../api/routes.ts'

/** Describes a workflow of the code host. */
export type Workflow =
  AnswerOf<'GET /organizations/{org_id}/integrations/codehost/workflows'>['items'][number]
/** Describes an input that a workflow declares. */
export type WorkflowInput = NonNullable<Workflow['inputs']>[number]

/** Reads the inputs of a workflow from its form. Empty optional ones are left out. */
export function readInputs(
  inputs: readonly WorkflowInput[],
  field: (name: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inputs.flatMap(({ name, type }) => {
      const value = field(fieldName(name))
      if (type === 'boolean') return [[name, value === '' ? 'false' : 'true']]
      return value === '' ? [] : [[name, value]]
    }),
  )
}

/** Returns the name of an input's field, prefixed to differ from the form's own fields. */
export function fieldName(input: string): string {
  return `input:${input}`
}

/** Returns why a workflow cannot be started from here, or `undefined` when it can. */
export function unavailableReason({ dispatchable, state }: Workflow): string | undefined {
  if (dispatchable) return undefined
  return state === 'active' ? 'no manual trigger' : 'disabled'
}

/** Returns what tells a workflow from all others: those of several repositories may have the same id. */
export function keyOfWorkflow({ repositoryId, id }: Pick<Workflow, 'repositoryId' | 'id'>): string {
  return `${repositoryId} ${id}`
}

/** Returns the workflow of a key, or the first of an id: the code host's number, or a file name such as `e2e.yml`. */
export function findWorkflow(
  workflows: readonly Workflow[],
  keyOrId: string,
): Workflow | undefined {
  return workflows.find(
    (one) =>
      keyOfWorkflow(one) === keyOrId || one.id === keyOrId || one.path.endsWith(`/${keyOrId}`),
  )
}

/** Returns the name of a workflow, with its repository where the workflows to tell apart are of several. */
export function nameWorkflow(
  { name, repositoryId }: Workflow,
  {
    workflows,
    repositories,
  }: {
    readonly workflows: readonly Workflow[]
    readonly repositories: readonly { readonly id: string; readonly fullName: string }[]
  },
): string {
  const isOfOne = workflows.every((other) => other.repositoryId === repositoryId)
  const repository = repositories.find(({ id }) => id === repositoryId)
  return isOfOne || repository === undefined ? name : `${name} in ${repository.fullName}`
}
