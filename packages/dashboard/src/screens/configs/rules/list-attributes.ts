import { targetingKey } from '@signalbox/contract'
import type { FlagRules, Matrix } from '../matrix.ts'

/** Returns the attributes that the rules of a schema's flags ask for, and the targeting key, in alphabetical order. */
export function listAttributes({ keys }: Pick<Matrix, 'keys'>, own: FlagRules): readonly string[] {
  const saved = keys.flatMap(({ cells }) => cells.flatMap(({ rules = [] }) => rules))
  return [...new Set([targetingKey, ...namesIn([...saved, ...own])])].toSorted()
}

/** Returns the attributes that rules ask for, in the order of the rules. */
export function namesIn(rules: FlagRules): readonly string[] {
  const names = rules.flatMap(({ when, serve }) => [
    ...when.map(({ attribute }) => attribute),
    ...(typeof serve === 'boolean' ? [] : [serve.by ?? targetingKey]),
  ])
  return [...new Set(names)]
}
