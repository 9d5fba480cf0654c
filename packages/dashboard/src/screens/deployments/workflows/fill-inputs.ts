import type { WorkflowInput } from './workflow-inputs.ts'

/** Describes the deployment whose facts fill the inputs of a workflow. */
export interface InputSource {
  readonly id: string
  readonly sha: string
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
  readonly hostEnvironment: string
  readonly url: string | null
  /** Holds the code host's id of its repository, where that is known. */
  readonly codehostRepositoryId?: string | null
  /** Holds the workflow whose run made it, where that is known. */
  readonly madeBy?: { readonly id: string; readonly name: string } | null
}

/** Maps the usual names of inputs, in lower case with `_` between words, to the facts of a deployment. */
const sources: readonly (readonly [RegExp, (deployment: InputSource) => string | null])[] = [
  [/^deployment_id$/, ({ id }) => id],
  [/^(?:git_)?(?:sha|commit|commit_sha|revision|ref)$/, ({ sha }) => sha],
  [/^(?:branch|branch_name)$/, ({ ref, refKind }) => (refKind === 'branch' ? ref : null)],
  [/^(?:tag|version)$/, ({ ref, refKind }) => (refKind === 'tag' ? ref : null)],
  [/^(?:env|environment|target|stage)(?:_name)?$/, ({ hostEnvironment }) => hostEnvironment],
  [/^(?:environment_|env_|base_)?url$/, ({ url }) => url],
]

/** Returns the inputs that a deployment fills, by name. A choice that does not offer the value is left to a person. */
export function fillInputs(
  inputs: readonly WorkflowInput[],
  deployment: InputSource | undefined,
): ReadonlyMap<string, string> {
  if (deployment === undefined) return new Map()
  return new Map(
    inputs.flatMap((input) => {
      const value = findValue(input, deployment)
      return value === undefined ? [] : [[input.name, value] as const]
    }),
  )
}

function findValue(
  { name, type, options }: WorkflowInput,
  deployment: InputSource,
): string | undefined {
  const key = name.toLowerCase().replaceAll('-', '_')
  const value = sources.find(([pattern]) => pattern.test(key))?.[1](deployment) ?? ''
  if (value === '' || type === 'boolean' || type === 'number') return undefined
  if (type !== 'choice') return value
  return options.find((option) => option.toLowerCase() === value.toLowerCase())
}

/** Lists the inputs by which Signalbox knows a run again. It fills them itself, or nobody does. */
const correlations: ReadonlySet<string> = new Set(['deployment_id', 'test_run_id', 'dispatch_id'])

/** Returns whether an input is only for Signalbox. */
export function isOwnInput({ name, required }: WorkflowInput): boolean {
  return correlations.has(name) && !required
}
