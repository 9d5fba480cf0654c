import {
  isProtected,
  Problem,
  type ProblemCode,
  type ProblemLocation,
  type ProofTerms,
} from '@signalbox/contract'
import type { EnvironmentProtection } from '@signalbox/contract/rest'

/** Describes what every change of an environment needs: its name as a confirmation, a comment, the approval of others. */
export type Protection = Readonly<EnvironmentProtection>

/** Describes what a write has to know of an environment beyond its values. */
export interface EnvironmentPolicy {
  readonly id: string
  readonly name: string
  readonly production: boolean
  readonly protection: Protection
}

/** Holds the policies of an organization's environments by id. */
export type EnvironmentPolicies = ReadonlyMap<string, EnvironmentPolicy>

/** Returns the policies of environments. */
export function toPolicies(environments: readonly EnvironmentPolicy[]): EnvironmentPolicies {
  return new Map(environments.map((environment) => [environment.id, environment]))
}

/** Holds what a request says beside its change: the names that it confirms, its comment, and how its versions are watched. */
export interface Confirmation {
  /** The names of the environments that the change is meant for. */
  readonly confirm: readonly string[]
  readonly comment: string | undefined
  /** Left out: as the environments ask for it. `null`: it is not watched, because a proof takes something back. */
  readonly prove?: ProofTerms | null | undefined
  /** The part of the request that has it: the query for a request without a body. */
  readonly from: 'body' | 'query'
}

/** Returns the confirmation of a request from the fields that the contract declares. Left out, they confirm nothing. */
export function toConfirmation(
  fields: {
    readonly confirm?: readonly string[] | undefined
    readonly comment?: string | undefined
    readonly prove?: ProofTerms | undefined
  },
  from: Confirmation['from'] = 'body',
): Confirmation {
  const { confirm = [], comment, prove } = fields
  return { confirm, comment, prove, from }
}

/** Stands for the confirmation of a change that cannot affect anything clients have read before. */
export const noConfirmation: Confirmation = { confirm: [], comment: undefined, from: 'body' }

/** Describes what a request has to bring along for one protected environment, as the API answers it in `requires`. */
export interface Requirement {
  readonly environmentId: string
  readonly environment: string
  readonly confirm: boolean
  readonly comment: boolean
  readonly approvals: number
  /** Lists the keys that need the approvals. */
  readonly reasons: string[]
}

/** Lists what the protected ones among some environments require. */
export function listRequirements(
  policies: EnvironmentPolicies,
  environmentIds: Iterable<string>,
): Requirement[] {
  return [...new Set(environmentIds)].flatMap((id) => {
    const policy = policies.get(id)
    if (policy === undefined || !isProtected(policy.protection)) return []
    const { confirm, comment, approvals } = policy.protection
    const environment = policy.name
    return [{ environmentId: id, environment, confirm, comment, approvals, reasons: [] }]
  })
}

/**
 * Lists the names of production and the protected environments that a change reaches, also by inheritance and also where
 * nothing looks different there yet. An assistant does not change them.
 */
export function listPersonRequired(
  policies: EnvironmentPolicies,
  environmentIds: Iterable<string>,
): readonly string[] {
  const reached = [...new Set(environmentIds)].flatMap((id) => policies.get(id) ?? [])
  return reached
    .filter((policy) => policy.production || isProtected(policy.protection))
    .map(({ name }) => name)
}

/**
 * Refuses an assistant's change of these environments, of which `listPersonRequired` has the names.
 *
 * @throws {Problem} `person_required`
 */
export function refuseForAgent(names: readonly string[]): void {
  if (names.length === 0) return
  const detail = `This change reaches ${names.join(', ')}, which an assistant does not change. Give the person the link of the proposal.`
  throw new Problem('person_required', detail)
}

/**
 * Refuses a change of protected environments that is not confirmed, or not explained, as they require. That holds for
 * people, API keys and restored versions alike.
 *
 * @throws {Problem} `confirmation_required`, `comment_required`, both with `requires`
 */
export function requireConfirmation(
  policies: EnvironmentPolicies,
  environmentIds: Iterable<string>,
  { confirm, comment, from }: Confirmation,
): void {
  const requires = listRequirements(policies, environmentIds)
  const toConfirm = requires
    .filter((requirement) => requirement.confirm && !confirm.includes(requirement.environment))
    .map(({ environment }) => environment)
  const isExplained = comment !== undefined && comment.trim() !== ''
  const toExplain = isExplained
    ? []
    : requires.filter((requirement) => requirement.comment).map(({ environment }) => environment)
  const errors: ProblemLocation[] = []
  const refuse = (code: ProblemCode, field: string, detail: string) =>
    errors.push({ pointer: from === 'body' ? `/${field}` : `?${field}`, code, detail })
  if (toConfirm.length > 0) {
    const detail = `Changes of ${toConfirm.join(', ')} require a confirmation: repeat with the name in "confirm".`
    refuse('confirmation_required', 'confirm', detail)
  }
  if (toExplain.length > 0) {
    const detail = `Changes of ${toExplain.join(', ')} require a reason: repeat with a "comment".`
    refuse('comment_required', 'comment', detail)
  }
  const [first] = errors
  if (first === undefined) return
  const detail = errors.map((error) => error.detail).join(' ')
  throw new Problem(first.code, detail, { errors, extensions: { requires } })
}

/** Returns whether a write, or an environment in which it makes a version, asks to watch it. */
export function isWatched(
  policies: EnvironmentPolicies,
  versions: readonly { readonly environmentId: string }[],
  { prove }: Confirmation,
): boolean {
  if (prove !== undefined) return prove !== null
  return versions.some(
    ({ environmentId }) => (policies.get(environmentId)?.protection.prove ?? null) !== null,
  )
}
