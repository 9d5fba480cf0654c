import { nameOfRef } from '@signalbox/contract'
import { Check, TriangleAlert, X } from 'lucide-react'
import type { ItemOf } from '../../../api/routes.ts'
import type { StateVariant } from '../states.ts'

/** Describes the definitions of one commit, compared with the values of every environment. */
export type CommitCheck = ItemOf<'GET /organizations/{org_id}/commit-checks'>
/** Describes a schema that the commit declares, with its environments. */
export type CheckedSchema = CommitCheck['schemas'][number]
/** Describes an environment, compared with the definition of the commit. */
export type CheckedEnvironment = CheckedSchema['environments'][number]

/** Maps each conclusion of a check to its word, color and icon. */
export const conclusionVariants: Readonly<Record<CommitCheck['conclusion'], StateVariant>> = {
  success: { word: 'Ready', tone: 'ok', icon: Check },
  neutral: { word: 'Ready, with a warning', tone: 'warn', icon: TriangleAlert },
  failure: { word: 'Not ready', tone: 'bad', icon: X },
}

/** Maps each result of an environment to its word, color and icon. */
export const resultVariants: Readonly<Record<CheckedEnvironment['result'], StateVariant>> = {
  missing: { word: 'Values missing', tone: 'bad', icon: X },
  invalid: { word: 'Values invalid', tone: 'bad', icon: X },
  breaking: { word: 'Ready, with a warning', tone: 'warn', icon: TriangleAlert },
  ready: { word: 'Ready', tone: 'ok', icon: Check },
}

const list = new Intl.ListFormat('en-GB')
const namedAtMost = 3

/** Returns the first keys by name, and how many others there are. Example: `a, b, c and 4 more`. */
export function nameKeys(keys: readonly string[]): string {
  const more = keys.length - namedAtMost
  // One more key needs no more space than saying that there is one.
  if (more <= 1) return list.format(keys)
  return list.format([...keys.slice(0, namedAtMost), `${more} more`])
}

type Keys = Pick<CheckedEnvironment, 'missing' | 'invalid' | 'breaking'>

/** Returns what is wrong in one environment. Example: `production lacks stripeKey and refuses 1 value`. Empty: nothing is. */
function describeEnvironment(name: string, { missing, invalid }: Keys): string {
  const parts = [
    missing.length > 0 && `lacks ${nameKeys(missing)}`,
    invalid.length > 0 &&
      `has ${invalid.length === 1 ? 'an invalid value' : 'invalid values'} of ${nameKeys(keysOf(invalid))}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `${name} ${parts.join(', and ')}`
}

const keysOf = (details: Keys['invalid']) => details.map(({ key }) => key)

/** Returns the environments of a check, each with the keys of all of its schemas. */
function joinSchemas({ schemas }: Pick<CommitCheck, 'schemas'>) {
  const byId = new Map<string, { readonly name: string; keys: Keys }>()
  for (const { environmentId, environment, ...keys } of schemas.flatMap(
    ({ environments }) => environments,
  )) {
    const before = byId.get(environmentId)?.keys
    byId.set(environmentId, {
      name: environment,
      keys: {
        missing: [...(before?.missing ?? []), ...keys.missing],
        invalid: [...(before?.invalid ?? []), ...keys.invalid],
        breaking: [...(before?.breaking ?? []), ...keys.breaking],
      },
    })
  }
  return [...byId.values()]
}

type Described = Pick<CommitCheck, 'schemas' | 'conclusion'>

/**
 * Returns what a check says: a sentence for each environment that is not ready, or one for all of them. Sentences about what runs
 * follow them.
 */
export function describeCheck(check: Described): readonly string[] {
  const environments = joinSchemas(check)
  const wrong = environments.flatMap(({ name, keys }) => {
    const sentence = describeEnvironment(name, keys)
    return sentence === '' ? [] : [`${sentence}.`]
  })
  const warnings = environments.flatMap(({ name, keys: { breaking } }) =>
    breaking.length === 0
      ? []
      : [`What runs in ${name} still reads ${nameKeys(keysOf(breaking))} as it was.`],
  )
  if (wrong.length > 0) return [...wrong, ...warnings]
  return [describeReady(environments.length), ...warnings]
}

function describeReady(count: number): string {
  if (count === 0) return 'There is no environment to compare it with yet.'
  return count === 1 ? 'Ready in its environment.' : `Ready in ${count} environments.`
}

/** Returns where a commit stands: its pull request, its branch, or neither. */
export function describeSource({
  pullRequest,
  ref,
}: Pick<CommitCheck, 'pullRequest' | 'ref'>): string | undefined {
  if (pullRequest !== null) return `Pull request ${pullRequest}`
  return ref === null ? undefined : nameOfRef(ref)
}

const kinds = { check_run: 'as a check', commit_status: 'as a commit status' } as const

/** Returns where the result stands at the code host, which `host` names. */
export function describeReport(
  { kind, state, detail }: CommitCheck['report'],
  host: string,
): string {
  if (state === 'written') return `On ${host}${kind === null ? '' : `, ${kinds[kind]}`}`
  if (state === 'waiting') return `Being written to ${host}`
  const why = detail ?? 'No code host is connected that shows it.'
  return state === 'given_up' ? `Not on ${host}: ${why}` : `Only here: ${why}`
}
