import { isTurnedOff, turnOff, turnOn, type OwnFlag } from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import { unknownKey, type ValueViolation } from '../../config-model/constraints/check-value.ts'
import type { RequestedEdit } from '../../config-model/constraints/check-values.ts'
import type { CurrentValues } from '../../config-model/current-values.ts'
import { isFlag, type Definition } from '../../config-model/definition.ts'

/** Maps a flag to what a request does to it. */
export type Turns = Readonly<Record<string, 'off' | 'on'>>

/** Describes the parts of a change that turning flags becomes. */
interface TurnedEdit extends Pick<RequestedEdit, 'set' | 'rules'> {
  readonly unset: readonly string[]
}

/** Describes a flag that can't be turned. */
export interface TurnViolation extends ValueViolation {
  readonly key: string
  readonly pointer: string
}

interface TurnFlags {
  readonly definition: Definition
  readonly current: CurrentValues
  readonly change: TurnedEdit & { readonly turn: Turns }
  /** Leads to the change in the request. */
  readonly path: readonly string[]
}

/**
 * Returns a change with the flags that it turns written as values and rules, which depend on what is stored. Flags that
 * can't be turned are violations, and left out.
 */
export function turnFlags({ definition, current, change, path }: TurnFlags): {
  readonly edit: TurnedEdit
  readonly violations: readonly TurnViolation[]
} {
  const set = { ...change.set }
  const rules = { ...change.rules }
  const unset = [...change.unset]
  const violations: TurnViolation[] = []
  for (const [key, to] of Object.entries(change.turn)) {
    const own = ownFlag(current, key)
    const violation =
      findFlagViolation(definition, key) ?? findClash(change, key) ?? findNotOff(own, key, to)
    if (violation !== undefined) {
      violations.push({ key, pointer: toJsonPointer([...path, 'turn', key]), ...violation })
      continue
    }
    const turned = to === 'off' ? turnOff(own) : turnOn(own?.rules ?? [])
    if (turned === undefined) unset.push(key)
    else {
      set[key] = turned.value
      rules[key] = turned.rules
    }
  }
  return { edit: { set, rules, unset }, violations }
}

function ownFlag({ openValues }: CurrentValues, key: string): OwnFlag | undefined {
  const { value, rules } = openValues[key] ?? {}
  if (typeof value !== 'boolean') return undefined
  return { value, rules: rules === undefined ? [] : readRules(rules) }
}

function findFlagViolation(definition: Definition, key: string): ValueViolation | undefined {
  const rule = definition.get(key)
  if (rule === undefined) return unknownKey(definition, key)
  if (isFlag(rule)) return undefined
  return { code: 'tier_mismatch', detail: 'Only feature flags can be turned off and on.' }
}

function findClash({ set, rules, unset }: TurnedEdit, key: string): ValueViolation | undefined {
  if (!Object.hasOwn(set, key) && !Object.hasOwn(rules, key) && !unset.includes(key))
    return undefined
  const detail = `The same change edits ${key}. Turn it, or edit it, not both.`
  return { code: 'validation_failed', detail }
}

/** On is the way back from off, and nothing else: it opens no flag to everyone. */
function findNotOff(
  own: OwnFlag | undefined,
  key: string,
  to: 'off' | 'on',
): ValueViolation | undefined {
  if (to === 'off' || isTurnedOff(own?.rules)) return undefined
  const detail = `${key} is not turned off in this environment. Set its value or its rules.`
  return { code: 'validation_failed', detail }
}
