import {
  findNameCollisions,
  findVariableViolation,
  leftOutHeader,
  namesByKey,
  Problem,
  toVariableText,
  type ConfigValue,
  type Tier,
} from '@signalbox/contract'
import { noHeaders, type Rendered } from './encoded-body.ts'
import type { Query } from './query.ts'

/** Holds the values that become variables, by key. */
export interface VariableValues {
  readonly open: Readonly<Record<string, ConfigValue>>
  readonly secret: Readonly<Record<string, ConfigValue>>
  /** Maps keys to the variables that their definition names. */
  readonly variables: Readonly<Record<string, string>> | undefined
}

/** Selects the variables of an answer. */
export type Variables = 'all' | 'secrets'

/**
 * Returns which variables a read asks for; `undefined` for a read of values by key.
 *
 * @throws {Problem} `invalid_query` for a word that is not known
 */
export function parseVariables({ names, only }: Query): Variables | undefined {
  if (names !== undefined && names !== 'keys' && names !== 'variables') {
    throw new Problem('invalid_query', 'The parameter "names" is "keys" or "variables".')
  }
  if (only !== undefined && only !== 'secrets') {
    throw new Problem('invalid_query', 'The parameter "only" is "secrets", or left out.')
  }
  if (names === 'variables') return only ?? 'all'
  if (only === undefined) return undefined
  throw new Problem('invalid_query', 'The parameter "only" needs names=variables beside it.')
}

/** Returns the ETag content of the variables of a snapshot, which differs from that of its values by key. */
export function variablesEtag(etag: string, variables: Variables): string {
  return `${etag}-variables${variables === 'all' ? '' : '-secrets'}`
}

/**
 * Renders values as one flat JSON object of strings, by the names of their environment variables. What may not go out as a
 * variable is left out by its name, so that one key never stops the programs that read the others.
 *
 * @throws {Problem} `unusable_variable` naming the keys that become the same variable, and none of a value
 */
export function renderVariables(
  { open, secret, variables: declared }: VariableValues,
  variables: Variables,
): Rendered {
  const toName = namesByKey(declared)
  // Counts the keys that are left out too: a program may read both halves.
  const collisions = [...findNameCollisions(Object.keys({ ...open, ...secret }), toName)]
  if (collisions.length > 0) {
    const violations = collisions.map(
      ([name, keys]) => `${keys.join(' and ')} become the same variable ${name}`,
    )
    throw new Problem(
      'unusable_variable',
      `${violations.join('; ')}. Rename the keys in the definition, or read the values by key, without names=variables.`,
    )
  }
  const toCandidates = (values: VariableValues['open'], tier: Tier) =>
    Object.entries(values).map(([key, value]) => ({ name: toName(key), tier, value }))
  const secrets = toCandidates(secret, 'secret')
  const chosen = variables === 'secrets' ? secrets : [...toCandidates(open, 'public'), ...secrets]
  const refused = chosen.filter((each) => findVariableViolation(each) !== undefined)
  const served = chosen.filter((each) => !refused.includes(each))
  return {
    text: JSON.stringify(
      Object.fromEntries(served.map(({ name, value }) => [name, toVariableText(value)])),
    ),
    headers: refused.length === 0 ? noHeaders : { [leftOutHeader]: nameFirst(refused) },
  }
}

/** Limits the header: proxies refuse long ones. */
const namesShown = 20

function nameFirst(refused: readonly { readonly name: string }[]): string {
  const first = refused.slice(0, namesShown).map(({ name }) => name)
  const rest = refused.length - first.length
  return [...first, ...(rest > 0 ? [`+${rest}`] : [])].join(', ')
}
