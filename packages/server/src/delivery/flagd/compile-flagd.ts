import {
  canonicalJson,
  divideServe,
  nameServed,
  targetingKey,
  type AttributeCondition,
  type ConfigValue,
  type Share,
  type WrittenRule,
} from '@signalbox/contract'
import type { RuledKey } from '../ofrep/flag-set.ts'
import { compileToLogic } from './compile-condition.ts'
import { dealByBucket, isUnit } from './deal.ts'
import { all, type JsonLogic } from './json-logic.ts'

/** Describes a flag, or a targeted key, of a snapshot. */
export type FlagToCompile = Pick<
  RuledKey,
  'schemaId' | 'key' | 'metadata' | 'value' | 'rules' | 'variants'
>

/** Describes a flag as flagd's definition has it. */
export interface FlagdFlag {
  readonly state: 'ENABLED'
  readonly variants: Readonly<Record<string, ConfigValue>>
  readonly defaultVariant: string
  readonly targeting?: JsonLogic
  readonly metadata: RuledKey['metadata'] & { readonly differs?: string }
}

/** Holds a compiled flag, or the reason for which there is none. */
export type CompiledFlag =
  | { readonly flag: FlagdFlag }
  | { readonly flag: undefined; readonly leftOut: string }

/**
 * Compiles a flag and its rules to flagd's definition, so that every flagd provider of a language decides as
 * `createFlagEvaluator` does. A context without a `targetingKey` for a division by it gets the value of the flag.
 *
 * @see https://flagd.dev/reference/flag-definitions/
 */
export function compileFlag(flag: FlagToCompile): CompiledFlag {
  const { value, rules, metadata } = flag
  const { variants, nameOf } = nameVariants(flag)
  if (Object.values(variants).some((variant) => Array.isArray(variant))) {
    return { flag: undefined, leftOut: 'flagd has objects, and no lists, as values' }
  }
  const base = { state: 'ENABLED', variants, defaultVariant: nameOf({ value }), metadata } as const
  if (rules.length === 0) return { flag: base }
  const branches: JsonLogic[] = []
  for (const rule of rules) {
    const unreadable = findUnreadable(flag, rule)
    if (unreadable !== undefined) return { flag: undefined, leftOut: unreadable }
    branches.push(...compileRule(flag, rule, nameOf))
  }
  const differs = describeDifference(rules)
  return {
    flag: {
      ...base,
      targeting: { if: [...branches, null] },
      ...(differs !== undefined && { metadata: { ...metadata, differs } }),
    },
  }
}

/** Returns the name of the variant for what is served. */
type NameOf = (served: Share['served']) => string

/** Names everything that a key may serve: its variants, or on and off, or its values. */
function nameVariants({ value, rules, variants: declared }: FlagToCompile) {
  if (declared !== undefined) {
    const variants = Object.fromEntries(declared.map(({ name, on }) => [name, on]))
    const byValue = (is: unknown) =>
      declared.find(({ on }) => on === is)?.name ?? nameServed(is === true)
    const nameOf: NameOf = (served) =>
      typeof served === 'object' && 'variant' in served ? served.variant : byValue(toValue(served))
    return { variants, nameOf }
  }
  const names = new Map<string, string>()
  const values = new Map<string, ConfigValue>()
  const nameOf: NameOf = (served) => {
    const is = toValue(served)
    const text = canonicalJson(is)
    const known = names.get(text)
    if (known !== undefined) return known
    let name = nameServed(is)
    for (let count = 2; values.has(name); count += 1) name = `${nameServed(is)}-${count}`
    names.set(text, name)
    values.set(name, is)
    return name
  }
  const served = rules.flatMap(({ serve }) =>
    divideServe(serve).shares.map((share) => share.served),
  )
  const fixed = typeof value === 'boolean' ? [true, false] : [{ value }]
  for (const one of [...fixed, ...served]) nameOf(one)
  return { variants: Object.fromEntries(values), nameOf }
}

function toValue(served: Share['served']): ConfigValue {
  if (typeof served !== 'object') return served
  // A variant that is not declared: the server refuses it.
  return 'value' in served ? served.value : false
}

/** Returns a condition and what it serves. */
function compileRule(
  flag: FlagToCompile,
  { when, serve }: WrittenRule,
  nameOf: NameOf,
): [JsonLogic, JsonLogic] {
  const conditions = when.map((condition) => compileToLogic(condition, flag) ?? false)
  const { shares, by } = divideServe(serve)
  if (by === undefined) return [all(conditions), nameOf(shares[0].served)]
  const division = dealByBucket(
    flag,
    by,
    shares.map(({ served, from, below }) => [nameOf(served), below - from]),
  )
  // Without a targeting key no rule after this one decides either.
  if (by === targetingKey) return [all(conditions), { if: [isUnit(by), division, null] }]
  return [all([...conditions, isUnit(by)]), division]
}

/** Names that JSONLogic reads otherwise than as a member of the context. */
const ownedByObjects: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function isReadable(name: string): boolean {
  return !name.includes('.') && !name.startsWith('$flagd') && !ownedByObjects.has(name)
}

/** Returns why a rule cannot be compiled; `undefined` when it can. */
function findUnreadable(flag: FlagToCompile, { when, serve }: WrittenRule): string | undefined {
  const names = when.map(({ attribute }) => attribute)
  const { by = targetingKey } = divideServe(serve)
  const unreadable = [...names, by].find((name) => !isReadable(name))
  if (unreadable !== undefined) return `flagd cannot read the attribute ${unreadable}`
  const unknown = when.find((condition) => compileToLogic(condition, flag) === undefined)
  return unknown && describeUnknown(unknown)
}

function describeUnknown(condition: AttributeCondition): string {
  const { operator } = condition
  return operator === 'share' && condition.deal !== undefined
    ? `flagd cannot choose the same users as ${condition.deal.as}`
    : `flagd has no operator ${operator}`
}

/** Returns in which case flagd decides otherwise. */
function describeDifference(rules: readonly WrittenRule[]): string | undefined {
  const hasVersions = rules.some(({ when }) => when.some(({ operator }) => operator === 'semver'))
  return hasVersions ? 'flagd also takes versions of two numbers, such as 1.2' : undefined
}
