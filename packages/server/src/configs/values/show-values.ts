import type { ConfigValue } from '@signalbox/contract'
import { readRules } from '../constraints/check-values.ts'
import type { configValueEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { createSecretOpener } from './sealed-secrets.ts'
import { resolveValues, type ConfigState, type ResolvedValue } from './resolve-values.ts'
import type { KeyRule } from '../schemas/definition.ts'
import type { Caller } from '../caller.ts'
import { getCurrentValues } from './current-values.ts'
import type { WrittenValues } from './write-values.ts'

/** The values of an environment as one caller may see them. */
export interface ShownValues {
  readonly state: ConfigState
  readonly environmentId: string
  /** Only these keys; left out: all. */
  readonly keys?: readonly string[] | undefined
  /** The JSON text of each secret, for a caller who may read them. */
  readonly secrets: ReadonlyMap<string, string> | undefined
}

type StoredValues = ResponseOf<typeof configValueEndpoints.getConfigValues>

/** What a write is answered with: its caller sees secrets here if he would see them when he reads. */
export function toShownValues(
  { orgId, readsSecrets }: Caller,
  { state, environmentId, sealer }: WrittenValues,
): ShownValues {
  if (!readsSecrets) return { state, environmentId, secrets: undefined }
  const opener = createSecretOpener(sealer, orgId, state.schema.id)
  return { state, environmentId, secrets: opener.open(resolveValues(state, environmentId)) }
}

/** The answer to a read or write of values. */
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

/** Of what is known by key only what is asked for, in the order in which it is known. */
export function pickKeys<T>(
  all: ReadonlyMap<string, T>,
  keys: readonly string[] | undefined,
): ReadonlyMap<string, T> {
  if (keys === undefined) return all
  const keySet = new Set(keys)
  return new Map([...all].filter(([key]) => keySet.has(key)))
}

type Times = (milliseconds: number) => string

/** Writes moments as ISO 8601. Many values are set together, and writing the moment costs more than the rest. */
export function createTimes(): Times {
  const known = new Map<number, string>()
  return (milliseconds) => {
    const text = known.get(milliseconds) ?? new Date(milliseconds).toISOString()
    known.set(milliseconds, text)
    return text
  }
}

/** One key. `secret` is the JSON text of a secret that may be shown. */
export function renderStored(
  { tier, type }: KeyRule,
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
    tier,
    type,
    source,
    ...(resolved.rules === undefined ? {} : { rules: readRules(resolved.rules) }),
    ...(source === 'inherited' && environmentId !== undefined
      ? { inheritedFrom: environmentId }
      : {}),
    updatedAt: entry === undefined ? null : times(entry.updatedAt),
    updatedBy: entry?.updatedBy ?? null,
  }
}

function parseSecret(text: string): ConfigValue {
  const value: ConfigValue = JSON.parse(text)
  return value
}
