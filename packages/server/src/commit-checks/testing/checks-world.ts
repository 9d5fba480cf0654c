import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'

/** Lists the keys that the definitions of the model declare. */
export const keyNames = ['a', 'b', 'c'] as const
export type KeyName = (typeof keyNames)[number]

/** Describes a key of a definition of the model. */
export interface ModelKey {
  readonly type: 'string' | 'number'
  readonly required: boolean
  /** Of a number. Left out: any. */
  readonly max?: number
}

export type ModelDefinition = Readonly<Partial<Record<KeyName, ModelKey>>>
export type ModelValue = string | number

export interface ModelEnvironment {
  readonly id: string
  readonly name: string
  parentId: string | null
  readonly values: Map<string, ModelValue>
}

export interface ModelCommit {
  readonly sha: string
  readonly branch: string
  definition: ModelDefinition | undefined
  /** Holds the number of its place among the uploads. */
  place: number
  readonly isFork: boolean
}

/** Holds what is true of the service and the host, by rules that are written down here once more. */
export interface ChecksWorld {
  readonly environments: ModelEnvironment[]
  readonly commits: Map<string, ModelCommit>
  /** Holds the newest commit of each branch. */
  readonly heads: Map<string, string>
  /** Holds pull requests as the host has them. */
  readonly pulls: Map<number, CodehostPullRequest>
  /** Holds the commit that runs in an environment. */
  readonly live: Map<string, string>
}

interface Expected {
  readonly environmentId: string
  readonly missing: readonly string[]
  readonly invalid: readonly string[]
  readonly breaking: readonly string[]
}

/** Returns what a check has to say of each environment. */
export function expectResults(world: ChecksWorld, commit: ModelCommit): Expected[] {
  const definition = commit.definition ?? {}
  return world.environments.map((environment) => {
    const missing: string[] = []
    const invalid: string[] = []
    for (const [key, rule] of Object.entries(definition)) {
      const chain = chainOf(world, environment)
      const own = environment.values.get(key)
      const serving = chain.find(({ values }) => typeof values.get(key) === rule.type)
      if (serving === undefined && rule.required) missing.push(key)
      if (isRefused(rule, own) || isRefused(rule, serving?.values.get(key))) invalid.push(key)
    }
    const running = world.commits.get(world.live.get(environment.id) ?? '')
    const before = running === undefined || running.sha === commit.sha ? {} : running.definition
    const breaking = Object.entries(before ?? {})
      .filter(([key, { type }]) => definition[key as KeyName]?.type !== type)
      .map(([key]) => key)
    return {
      environmentId: environment.id,
      missing: missing.toSorted(),
      invalid: invalid.toSorted(),
      breaking: breaking.toSorted(),
    }
  })
}

function isRefused({ type, max = Infinity }: ModelKey, value: ModelValue | undefined): boolean {
  if (value === undefined) return false
  return typeof value !== type || (typeof value === 'number' && value > max)
}

function chainOf(world: ChecksWorld, environment: ModelEnvironment): ModelEnvironment[] {
  const parent = world.environments.find(({ id }) => id === environment.parentId)
  return parent === undefined ? [environment] : [environment, ...chainOf(world, parent)]
}

export function expectConclusion(results: readonly Expected[]): string {
  if (results.some(({ missing, invalid }) => missing.length + invalid.length > 0)) return 'failure'
  return results.some(({ breaking }) => breaking.length > 0) ? 'neutral' : 'success'
}

/** Returns whether a check has to be open, or has to be closed. Undefined: the rules leave it open. */
export function expectOpen(world: ChecksWorld, commit: ModelCommit): boolean | undefined {
  if ([...world.live.values()].includes(commit.sha)) return true
  const pulls = [...world.pulls.values()]
  const proposals = pulls.filter(({ headSha }) => headSha === commit.sha)
  if (proposals.some(({ state }) => state === 'open')) return true
  if (proposals.length > 0) return false
  const ofBranch = pulls.filter(({ headRef, isFork }) => headRef === commit.branch && !isFork)
  if (commit.isFork || ofBranch.length > 0) return undefined
  const later = [...world.commits.values()].some(
    ({ branch, isFork, place, definition }) =>
      definition !== undefined && branch === commit.branch && !isFork && place > commit.place,
  )
  return !later
}
