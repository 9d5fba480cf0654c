import {
  measureShare,
  targetingKey,
  type AttributeCondition,
  type WrittenRule,
} from '@signalbox/contract'
import { compileToLogic } from './compile-condition.ts'
import { dealByBucket, isUnit } from './deal.ts'
import { all, type JsonLogic } from './json-logic.ts'

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
    const unreadable = findUnreadable(flag, rule)
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
  const conditions = when.map((condition) => compileToLogic(condition, flag) ?? false)
  if (typeof serve === 'boolean') return [all(conditions), toVariant(serve)]
  const { percent, by = targetingKey } = serve
  const { serves } = measureShare(percent)
  if (serves !== undefined) return [all(conditions), toVariant(serves)]
  const split = dealByBucket(flag, { percent, by })
  // Without a targeting key no rule after this one decides either.
  if (by === targetingKey) return [all(conditions), { if: [isUnit(by), split, null] }]
  return [all([...conditions, isUnit(by)]), split]
}

/** Names that JSONLogic reads otherwise than as a member of the context. */
const ownedByObjects: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function isReadable(name: string): boolean {
  return !name.includes('.') && !name.startsWith('$flagd') && !ownedByObjects.has(name)
}

/** Returns why a rule cannot be compiled; `undefined` when it can. */
function findUnreadable(flag: FlagToCompile, { when, serve }: WrittenRule): string | undefined {
  const names = when.map(({ attribute }) => attribute)
  const by = typeof serve === 'boolean' ? targetingKey : (serve.by ?? targetingKey)
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
