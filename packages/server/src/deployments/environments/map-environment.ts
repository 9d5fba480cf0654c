import { fitsGlob } from './environment-globs.ts'

/** Describes a rule that maps environments of the host to ours. */
export interface MappingRule {
  readonly pattern: string
  /** The provider's number of the repository it is for; left out: all of them. */
  readonly repositoryId?: string | undefined
  /** `null`: deployments there are not recorded. */
  readonly environmentId: string | null
}

export interface HostEnvironmentName {
  readonly name: string
  /** The provider's number of the repository; `null` when a pipeline reports it. */
  readonly repositoryId: string | null
}

/** Describes one of our environments, as far as the mapping needs it. */
export interface OwnEnvironment {
  readonly id: string
  readonly name: string
  /** Names the one host environment that a preview is; left out or `null`: it is none. */
  readonly source?: { readonly externalId: string | null; readonly hostEnvironment: string } | null
}

/** Describes which of our environments a host environment is, and how we know. */
export type EnvironmentMapping =
  | { readonly mappedBy: 'rule'; readonly environmentId: string; readonly ignored: false }
  /** `pattern` is of the rule that says so. */
  | {
      readonly mappedBy: 'rule'
      readonly environmentId: null
      readonly ignored: true
      readonly pattern: string
    }
  | { readonly mappedBy: 'guess'; readonly environmentId: string; readonly ignored: false }
  | { readonly mappedBy: 'none'; readonly environmentId: null; readonly ignored: false }

/** Words that mean the same environment. The first part of a name decides: `prod-eu`, `preview/pr-42`. */
const synonyms: readonly ReadonlySet<string>[] = [
  new Set(['production', 'prod', 'prd', 'live']),
  new Set(['staging', 'stage', 'stg', 'preprod', 'uat']),
  new Set(['testing', 'test', 'qa']),
  new Set(['development', 'dev', 'develop']),
  new Set(['preview', 'previews', 'review', 'pr']),
]

const notAWord = /[^a-z0-9]/

/**
 * Finds the preview that the host environment is, else the environment by the first rule that fits, else by its name: the same name, else one that means the same.
 * A rule that names a deleted environment is ignored.
 */
export function mapEnvironment(
  host: HostEnvironmentName,
  rules: readonly MappingRule[],
  own: readonly OwnEnvironment[],
): EnvironmentMapping {
  const preview = own.find(({ source }) => isSourceOf(source, host))
  if (preview !== undefined) return { mappedBy: 'rule', environmentId: preview.id, ignored: false }
  const known = new Set(own.map(({ id }) => id))
  const rule = rules.find(
    ({ pattern, repositoryId, environmentId }) =>
      (repositoryId === undefined || repositoryId === host.repositoryId) &&
      (environmentId === null || known.has(environmentId)) &&
      fitsGlob(pattern, host.name),
  )
  if (rule !== undefined) {
    const { pattern, environmentId } = rule
    return environmentId === null
      ? { mappedBy: 'rule', environmentId, ignored: true, pattern }
      : { mappedBy: 'rule', environmentId, ignored: false }
  }
  const standing = own.filter(({ source }) => (source ?? null) === null)
  const guess = guessEnvironment(host.name.toLowerCase(), standing)
  if (guess === undefined) return { mappedBy: 'none', environmentId: null, ignored: false }
  return { mappedBy: 'guess', environmentId: guess.id, ignored: false }
}

function isSourceOf(
  source: OwnEnvironment['source'],
  { name, repositoryId }: HostEnvironmentName,
): boolean {
  const { externalId = null, hostEnvironment = '' } = source ?? {}
  if (externalId === null || externalId !== repositoryId) return false
  return hostEnvironment.toLowerCase() === name.toLowerCase()
}

/** Returns whether two names are words for the same place: `prod` and `Production`, and not `prod-eu` and `prod-us`. */
export function isSynonym(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
  return one === other || synonyms.some((words) => words.has(one) && words.has(other))
}

function guessEnvironment(
  name: string,
  own: readonly OwnEnvironment[],
): OwnEnvironment | undefined {
  const same = own.find((environment) => environment.name.toLowerCase() === name)
  if (same !== undefined) return same
  const meaning = synonyms.find((words) => words.has(firstWord(name)))
  // Two that mean the same, such as `prod-eu` and `prod-us`: which one it is, only a rule can say.
  const candidates = own.filter((environment) =>
    meaning?.has(firstWord(environment.name.toLowerCase())),
  )
  const plain = candidates.filter((environment) => meaning?.has(environment.name.toLowerCase()))
  const [environment, second] = candidates.length > 1 ? plain : candidates
  return second === undefined ? environment : undefined
}

function firstWord(name: string): string {
  return name.split(notAWord, 1)[0] ?? ''
}
