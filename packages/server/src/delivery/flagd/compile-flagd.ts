import { targetingKey, type FlagRollout, type WrittenRule } from '@signalbox/contract'
import { compileToLogic } from './compile-condition.ts'
import { all, any, readAttribute, type JsonLogic } from './json-logic.ts'

/** Describes one flag of a snapshot. */
export interface FlagToCompile {
  readonly schemaId: string
  readonly key: string
  readonly value: boolean
  readonly rules: readonly WrittenRule[]
}

/** Describes a flag as flagd's definition has it. */
export interface FlagdFlag {
  readonly state: 'ENABLED'
  readonly variants: { readonly on: true; readonly off: false }
  readonly defaultVariant: 'on' | 'off'
  readonly targeting?: JsonLogic
  readonly metadata?: { readonly differs: string }
}

/** Holds a compiled flag, or the reason for which there is none. */
export type CompiledFlag =
  | { readonly flag: FlagdFlag }
  | { readonly flag: undefined; readonly leftOut: string }

/** The sum of the weights of a rollout: a percentage may have three decimals. */
const totalWeight = 100_000

/** The largest whole number that every language has exactly: 2^53 - 1. */
const largest = Number.MAX_SAFE_INTEGER

/**
 * Compiles a flag and its rules to flagd's definition, so that every flagd provider of a language decides as
 * `createFlagEvaluator` does. A context without a `targetingKey` for a rollout by it gets the value of the flag.
 *
 * @see https://flagd.dev/reference/flag-definitions/
 */
export function compileFlag(flag: FlagToCompile): CompiledFlag {
  const { value, rules } = flag
  const variants = { on: true, off: false } as const
  const base = { state: 'ENABLED', variants, defaultVariant: toVariant(value) } as const
  if (rules.length === 0) return { flag: base }
  const branches: JsonLogic[] = []
  for (const rule of rules) {
    const unreadable = findUnreadable(rule)
    if (unreadable !== undefined) return { flag: undefined, leftOut: unreadable }
    branches.push(...compileRule(flag, rule))
  }
  const differs = describeDifference(rules)
  return {
    flag: {
      ...base,
      targeting: { if: [...branches, null] },
      ...(differs !== undefined && { metadata: { differs } }),
    },
  }
}

function toVariant(value: boolean): 'on' | 'off' {
  return value ? 'on' : 'off'
}

/** Returns a condition and what it serves. */
function compileRule(flag: FlagToCompile, { when, serve }: WrittenRule): [JsonLogic, JsonLogic] {
  const conditions = when.map((condition) => compileToLogic(condition) ?? false)
  if (typeof serve === 'boolean') return [all(conditions), toVariant(serve)]
  const { by = targetingKey } = serve
  const split = compileRollout(flag, serve)
  // Without a targeting key no rule after this one decides either.
  if (by === targetingKey) return [all(conditions), { if: [isUnit(by), split, null] }]
  return [all([...conditions, isUnit(by)]), split]
}

/** Deals as `createBuckets` does: flagd hashes the text, and scales the hash to the sum of the weights. */
function compileRollout(
  flag: FlagToCompile,
  { percent, by = targetingKey }: FlagRollout,
): JsonLogic {
  const inside = Math.round((percent * totalWeight) / 100)
  return {
    fractional: [
      { cat: [`${flag.schemaId}/${flag.key}/`, { var: by }] },
      ['on', inside],
      ['off', totalWeight - inside],
    ],
  }
}

/** Holds for an attribute that `toUnit` takes: a text that is not empty, or a whole number. */
function isUnit(name: string): JsonLogic {
  const { read, isText, isNumber } = readAttribute(name)
  const isWhole: JsonLogic = { '===': [{ '%': [read, 1] }, 0] }
  return any([
    all([isText, { '!==': [read, ''] }]),
    all([isNumber, isWhole, { '>=': [read, -largest] }, { '<=': [read, largest] }]),
  ])
}

/** Names that JSONLogic reads otherwise than as a member of the context. */
const ownedByObjects: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function isReadable(name: string): boolean {
  return !name.includes('.') && !name.startsWith('$flagd') && !ownedByObjects.has(name)
}

/** Returns why a rule cannot be compiled; `undefined` when it can. */
function findUnreadable({ when, serve }: WrittenRule): string | undefined {
  const names = when.map(({ attribute }) => attribute)
  const by = typeof serve === 'boolean' ? targetingKey : (serve.by ?? targetingKey)
  const unreadable = [...names, by].find((name) => !isReadable(name))
  if (unreadable !== undefined) return `flagd cannot read the attribute ${unreadable}`
  const unknown = when.find((condition) => compileToLogic(condition) === undefined)
  return unknown && `flagd has no operator ${unknown.operator}`
}

/** Returns in which case flagd decides otherwise. */
function describeDifference(rules: readonly WrittenRule[]): string | undefined {
  const hasVersions = rules.some(({ when }) => when.some(({ operator }) => operator === 'semver'))
  return hasVersions ? 'flagd also takes versions of two numbers, such as 1.2' : undefined
}
