import type { ConfigValue } from '../values/value-types.ts'
import { createBuckets, toUnit } from './bucketing.ts'
import { compileCondition, type CompileCondition, type Condition } from './compile-condition.ts'
import { divideServe, type Share } from './divide-serve.ts'
import {
  targetingKey,
  type EvaluationContext,
  type FlagVariant,
  type WrittenRule,
} from './flag-rules.ts'

/** Describes a flag, or a targeted key, in one environment. */
export interface RuledFlag<V extends ConfigValue = boolean> {
  readonly schemaId: string
  readonly key: string
  /** Holds the value that is served when no rule decides. */
  readonly value: V
  readonly rules: readonly WrittenRule[]
  /** Holds the variants that a flag declares. */
  readonly variants?: readonly FlagVariant[] | undefined
}

/**
 * Names the reason for a value.
 * - `rule`: the conditions of a rule held.
 * - `split`: they did, and the rule divides contexts.
 * - `value`: no rule decided.
 * - `unknown`: a division by `targetingKey` would have decided, and the context has none. `value` is that of the flag.
 */
export type FlagReason = 'rule' | 'split' | 'value' | 'unknown'

/** Describes the value of a flag for a context, with the reason for it. */
export interface FlagEvaluation<V extends ConfigValue = boolean> {
  readonly value: V
  readonly reason: FlagReason
  /** Names the variant, where the flag declares variants. */
  readonly variant?: string
  /** Holds the rule that decided, or would have decided. Absent: none did. */
  readonly rule?: WrittenRule
}

/**
 * Evaluates one flag for a context. It never throws, and returns the same object for the same outcome. Its time grows only with
 * the length of the texts and the rules.
 */
export type EvaluateFlag<V extends ConfigValue = boolean> = (
  context: EvaluationContext,
) => FlagEvaluation<V>

/**
 * Prepares a flag for many evaluations. The first rule whose conditions all hold decides. A division by an attribute
 * that the context lacks is skipped, except for `targetingKey`; one with a single outcome needs none. Flags that share `compile` share its conditions.
 */
export function createFlagEvaluator<V extends ConfigValue = boolean>(
  flag: RuledFlag<V>,
  compile: CompileCondition = compileCondition,
): EvaluateFlag<V> {
  const steps = flag.rules.map((rule) =>
    compileRule(
      rule.when.map((condition) => compile(condition, flag)),
      compileServe(flag, rule),
    ),
  )
  const byValue = decideByValue(flag, 'value')
  return (context) => {
    for (const step of steps) {
      const outcome = step(context)
      if (outcome !== undefined) return outcome
    }
    return byValue
  }
}

type Step<V extends ConfigValue> = (context: EvaluationContext) => FlagEvaluation<V> | undefined

function compileRule<V extends ConfigValue>(
  conditions: readonly Condition[],
  decide: Step<V>,
): Step<V> {
  return (context) => {
    for (const holds of conditions) if (!holds(context)) return undefined
    return decide(context)
  }
}

function compileServe<V extends ConfigValue>(flag: RuledFlag<V>, rule: WrittenRule): Step<V> {
  const { shares, by } = divideServe(rule.serve)
  if (by === undefined) {
    const only = { ...decideByShare(flag, shares[0], 'rule'), rule }
    return () => only
  }
  const bucketOf = createBuckets(flag.schemaId, flag.key)
  const [first, ...others] = shares.map(({ below, ...share }) => ({
    below,
    outcome: { ...decideByShare(flag, share, 'split'), rule },
  }))
  const byNobody = by === targetingKey ? { ...decideByValue(flag, 'unknown'), rule } : undefined
  return (context) => {
    const unit = Object.hasOwn(context, by) ? toUnit(context[by]) : undefined
    if (unit === undefined) return byNobody
    const bucket = bucketOf(unit)
    let share = first
    for (const next of others) {
      if (share !== undefined && bucket < share.below) break
      share = next
    }
    return share?.outcome
  }
}

function decideByValue<V extends ConfigValue>(
  { value, variants }: RuledFlag<V>,
  reason: FlagReason,
): FlagEvaluation<V> {
  return { value, reason, ...nameVariant(variants, value) }
}

function decideByShare<V extends ConfigValue>(
  { variants }: RuledFlag<V>,
  { served }: Pick<Share, 'served'>,
  reason: FlagReason,
): FlagEvaluation<V> {
  const isNamed = typeof served === 'object' && 'variant' in served
  const value = isNamed ? isOn(variants, served.variant) : toValue(served)
  const named = isNamed ? { variant: served.variant } : nameVariant(variants, value)
  // The server checks that a rule serves values of its key's type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { value: value as V, reason, ...named }
}

function toValue(served: boolean | { readonly value: ConfigValue }): ConfigValue {
  return typeof served === 'boolean' ? served : served.value
}

function isOn(variants: readonly FlagVariant[] = [], chosen: string): boolean {
  return variants.some(({ name, on }) => name === chosen && on)
}

/**
 * Returns the variant of a flag that is on or off without a variant being chosen: the first one that it declares with that value.
 * Example: `{ variant: 'control' }`.
 */
function nameVariant(
  variants: readonly FlagVariant[] = [],
  value: ConfigValue,
): { variant?: string } {
  const variant = variants.find(({ on }) => on === value)
  return variant === undefined ? {} : { variant: variant.name }
}
