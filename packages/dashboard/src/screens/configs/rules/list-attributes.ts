import {
  isSegmentCondition,
  targetingKey,
  type AttributeCondition,
  type FlagRule,
  type Segments,
  type Serve,
} from '@signalbox/contract'
import type { FlagRules, Matrix } from '../matrix.ts'

/** Returns the attributes that the rules of a schema's flags ask for, and the targeting key, in alphabetical order. */
export function listAttributes({ keys }: Pick<Matrix, 'keys'>, own: FlagRules): readonly string[] {
  const saved = keys.flatMap(({ cells }) => cells.flatMap(({ rules = [] }) => rules))
  return [...new Set([targetingKey, ...namesIn([...saved, ...own])])].toSorted()
}

/** Returns the attributes that rules ask for, those of their segments included, in the order of the rules. */
export function namesIn(rules: readonly FlagRule[], segments: Segments = {}): readonly string[] {
  const names = rules.flatMap((rule) => [
    ...listConditions([rule], segments).map(({ attribute }) => attribute),
    ...unitsOf(rule.serve),
  ])
  return [...new Set(names)]
}

/** Returns the attribute that divides contexts, also where the share is 0% or 100% at present. */
function unitsOf(serve: Serve): readonly string[] {
  const isDivided = typeof serve === 'object' && ('percent' in serve || 'split' in serve)
  return isDivided ? [serve.by ?? targetingKey] : []
}

/** Returns the conditions of rules about an attribute, those of their segments included. */
export function listConditions(
  rules: readonly FlagRule[],
  segments: Segments,
): readonly AttributeCondition[] {
  return rules
    .flatMap(({ when }) => when)
    .flatMap((condition) =>
      isSegmentCondition(condition)
        ? (segments[condition.segment] ?? []).flatMap(({ when }) => when)
        : [condition],
    )
}
