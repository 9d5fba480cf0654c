import { limits, normalizeRules, type FlagRule, type ProblemPlace } from '@signalbox/contract'
import type { ShownRules } from '@signalbox/contract/rest'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { unknownKey, type ValueFault } from './check-values.ts'
import type { Definition, KeyRule } from '../schemas/definition.ts'
import type { RulesByKey } from '../values/edit-head.ts'

/** Rules as a request gives them, in the form that the contract declares. */
export type GivenRules = Readonly<Record<string, readonly FlagRule[] | null>>

/** Rules that may be stored, or every fault with its place. */
export type CheckedRules =
  | { readonly rules: RulesByKey }
  | { readonly faults: readonly ProblemPlace[] }

/** The rules of a stored text. */
export function readRules(text: string): ShownRules {
  const rules: ShownRules = JSON.parse(text)
  return rules
}

/**
 * Checks that rules are given for flags only, and that there is a value that they go with. `hasValue` tells which keys the
 * environment sets itself after the write, `path` leads to the rules in the request.
 */
export function checkRules(
  definition: Definition,
  given: GivenRules,
  hasValue: (key: string) => boolean,
  path: readonly string[] = ['rules'],
): CheckedRules {
  const rules = new Map<string, string | null>()
  const faults: ProblemPlace[] = []
  for (const [key, list] of Object.entries(given)) {
    const isRemoved = list === null || list.length === 0
    const text = isRemoved ? null : JSON.stringify(normalizeRules(list))
    const fault =
      findFlagFault(definition, key) ??
      (text === null ? undefined : findRulesFault(text, hasValue(key)))
    if (fault !== undefined) faults.push({ pointer: toJsonPointer([...path, key]), ...fault })
    rules.set(key, text)
  }
  return faults.length > 0 ? { faults } : { rules }
}

function findFlagFault(definition: Definition, key: string): ValueFault | undefined {
  const rule = definition.get(key)
  if (rule === undefined) return unknownKey(definition, key)
  if (isFlag(rule)) return undefined
  return { code: 'tier_mismatch', detail: 'Only feature flags have rules. Leave this key out.' }
}

export function isFlag(rule: KeyRule | undefined): boolean {
  return rule?.tier === 'featureFlags'
}

function findRulesFault(text: string, hasValue: boolean): ValueFault | undefined {
  if (Buffer.byteLength(text) > limits.valueBytes) {
    const detail = `The rules of a flag may have ${limits.valueBytes} bytes. Give fewer or shorter ones.`
    return { code: 'value_too_large', detail }
  }
  if (hasValue) return undefined
  const detail =
    'Rules go with the value that this environment sets, and it sets none. Give one in "values" too: it holds where no rule decides.'
  return { code: 'validation_failed', detail }
}
