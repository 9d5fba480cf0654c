import type { ConfigValue, Tier } from '@signalbox/contract'
import {
  isOwnKey,
  ownKeys,
  type CurrentValues,
  type CurrentValuesByEnvironment,
} from '../../config-model/current-values.ts'
import type { Definition } from '../../config-model/definition.ts'
import { findOwn } from '../../config-model/resolve-values.ts'
import type { SentValues } from './set-sent-values.ts'

/** Describes a stored value that nobody read and that a change of the definition brings back. A secret has no value here. */
export interface ReturningValue {
  readonly key: string
  readonly tier: Tier
  readonly value?: ConfigValue
  /** The text of the rules of a flag that has some. */
  readonly rules?: string
}

/** Maps an environment to the values that come back in it. */
export type ReturningValues = ReadonlyMap<string, readonly ReturningValue[]>

/** Maps a key to what a request does with values of it that would come back. */
export type ReturnChoices = Readonly<Record<string, 'restore' | 'forget'>>

interface Side {
  readonly definition: Definition
  readonly currentValues: CurrentValuesByEnvironment
}

/**
 * Returns the values that a change of the definition brings back: those of a key that was removed and is declared
 * again, and those that had another type, or were not a flag, in between. Values that the request itself sets or
 * removes are left out.
 */
export function findReturning(
  before: Side,
  after: Side,
  sent: readonly SentValues[],
): ReturningValues {
  return new Map(
    [...after.currentValues.values()].flatMap((current) => {
      const edit = sent.find(({ environmentId }) => environmentId === current.environmentId)
      const was = before.currentValues.get(current.environmentId)
      const returning = ownKeys(current).flatMap((key) => {
        if (edit !== undefined && isEdited(edit, key)) return []
        const readBefore = readOwn(before.definition, was, key)
        return compareKey(key, readBefore, readOwn(after.definition, current, key)) ?? []
      })
      return returning.length === 0 ? [] : [[current.environmentId, returning] as const]
    }),
  )
}

function isEdited({ set, unset = [] }: SentValues, key: string): boolean {
  return Object.hasOwn(set, key) || unset.includes(key)
}

/** Returns what readers of an environment get of a key, if a definition has it. */
function readOwn(definition: Definition, current: CurrentValues | undefined, key: string) {
  const rule = definition.get(key)
  const read = rule && current && findOwn(current, key, rule)
  return rule && read && { tier: rule.tier, ...read }
}

function compareKey(
  key: string,
  was: ReturnType<typeof readOwn>,
  is: ReturnType<typeof readOwn>,
): ReturningValue | undefined {
  if (is === undefined) return undefined
  const hasMoreRules = is.rules !== undefined && was?.rules === undefined
  if (was !== undefined && !hasMoreRules) return undefined
  const { tier, value, rules } = is
  if (tier === 'secret') return { key, tier }
  return { key, tier, ...(value !== undefined && { value }), ...(rules !== undefined && { rules }) }
}

/** Returns what a request sets and removes, with the removal of the values that it forgets. */
export function withForgotten(
  sent: readonly SentValues[],
  returning: ReturningValues,
  choices: ReturnChoices,
): readonly SentValues[] {
  const forgotten = new Map(
    [...returning].flatMap(([environmentId, values]) => {
      const unset = values.flatMap(({ key }) => (choices[key] === 'forget' ? [key] : []))
      return unset.length === 0 ? [] : [[environmentId, unset] as const]
    }),
  )
  const added = [...forgotten.keys()].filter((id) => !sent.some((one) => one.environmentId === id))
  return [...sent, ...added.map((environmentId) => ({ environmentId, set: {} }))].map((one) => {
    const { unset = [] }: SentValues = one
    return { ...one, unset: [...unset, ...(forgotten.get(one.environmentId) ?? [])] }
  })
}

/** Returns the values that come back after all, because the request does not forget them. */
export function keepReturning(
  returning: ReturningValues,
  currentValues: CurrentValuesByEnvironment,
): ReturningValues {
  return new Map(
    [...returning].map(([environmentId, values]) => [
      environmentId,
      values.filter(({ key }) => isOwnKey(currentValues.get(environmentId), key)),
    ]),
  )
}
