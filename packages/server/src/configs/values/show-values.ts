import type { ConfigValue } from '@signalbox/contract'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import type { configValueEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { createSecretOpener } from '../../config-model/sealed-secrets.ts'
import {
  resolveValues,
  type ConfigState,
  type ResolvedValue,
} from '../../config-model/resolve-values.ts'
import type { KeyRule } from '../../config-model/definition.ts'
import type { Caller } from '../../config-model/caller.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import type { WrittenValues } from './write-values.ts'

/** Holds the values of an environment as one caller may see them. */
export interface ShownValues {
  readonly state: ConfigState
  readonly environmentId: string
  /** Only these keys; left out: all. */
  readonly keys?: readonly string[] | undefined
  /** The JSON text of each secret, for a caller who may read them. */
  readonly secrets: ReadonlyMap<string, string> | undefined
}

type StoredValues = ResponseOf<typeof configValueEndpoints.getConfigValues>

/**
 * Returns the values after a write. Its caller sees secrets here only if every read shows them too (`readsSecrets`).
 */
export function toShownValues(
  { orgId, readsSecrets }: Caller,
  { state, environmentId, sealer }: WrittenValues,
): ShownValues {
  if (!readsSecrets) return { state, environmentId, secrets: undefined }
  const opener = createSecretOpener(sealer, orgId, state.schema.id)
  return { state, environmentId, secrets: opener.open(resolveValues(state, environmentId)) }
}

/** Renders the answer to a read or write of values. */
export function renderValues({ state, environmentId, keys, secrets }: ShownValues): StoredValues {
  const { schema } = state
  const resolved = resolveValues(state, environmentId)
  const times = createTimes()
  const values = [...pickKeys(schema.definition, keys)].map(([key, rule]) => {
    const options = { secret: secrets?.get(key), times }
    return [key, renderStored(rule, resolved.get(key), options)] as const
  })
  return {
    schemaId: schema.id,
    environmentId,
    version: getCurrentValues(state, environmentId).version,
    values: Object.fromEntries(values),
  }
}

/** Returns the entries of the given keys in the order of `all`; `undefined` picks every entry. */
export function pickKeys<T>(
  all: ReadonlyMap<string, T>,
  keys: readonly string[] | undefined,
): ReadonlyMap<string, T> {
  if (keys === undefined) return all
  const keySet = new Set(keys)
  return new Map([...all].filter(([key]) => keySet.has(key)))
}

type Times = (milliseconds: number) => string

/**
 * Creates a function that writes moments as ISO 8601 and remembers them. Many values are set together, and formatting
 * the moment costs more than the rest.
 */
export function createTimes(): Times {
  const known = new Map<number, string>()
  return (milliseconds) => {
    const text = known.get(milliseconds) ?? new Date(milliseconds).toISOString()
    known.set(milliseconds, text)
    return text
  }
}

/** Renders one key. `secret` is the JSON text of a secret that may be shown. */
export function renderStored(
  rule: KeyRule,
  resolved: ResolvedValue = { source: 'missing' },
  {
    secret,
    times = createTimes(),
  }: { readonly secret?: string | undefined; readonly times?: Times } = {},
): StoredValues['values'][string] {
  const { source, entry, environmentId } = resolved
  const value = secret === undefined ? resolved.value : parseSecret(secret)
  return {
    ...(value === undefined ? {} : { value }),
    ...pickShown(rule),
    source,
    ...(resolved.rules === undefined ? {} : { rules: readRules(resolved.rules) }),
    ...(source === 'inherited' && environmentId !== undefined
      ? { inheritedFrom: environmentId }
      : {}),
    updatedAt: entry === undefined ? null : times(entry.updatedAt),
    updatedBy: entry?.updatedBy ?? null,
  }
}

function pickShown({ tier, type, variable }: KeyRule) {
  return { tier, type, ...(variable !== undefined && { variable }) }
}

function parseSecret(text: string): ConfigValue {
  const value: ConfigValue = JSON.parse(text)
  return value
}
