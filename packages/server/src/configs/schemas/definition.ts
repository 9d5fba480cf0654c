import type { ConfigValue, Tier, ValueType } from '@signalbox/contract'

/** A key of a schema with every choice made explicit, as it is stored. */
export interface KeyRule {
  readonly type: ValueType
  readonly tier: Tier
  readonly required: boolean
  readonly hasDefault: boolean
  readonly description?: string
  /** Absent for a secret: its default is sealed and kept apart. */
  readonly default?: ConfigValue
  readonly constraints?: Readonly<Record<string, unknown>>
  readonly partial?: boolean
}

/** The keys of a schema in the order they were declared. */
export type Definition = ReadonlyMap<string, KeyRule>

/** A definition as it is stored: key name to rule. Names were checked when it was written. */
export type StoredDefinition = Readonly<Record<string, KeyRule>>

export function toStoredDefinition(definition: Definition): StoredDefinition {
  return Object.fromEntries(definition)
}

export function fromStoredDefinition(stored: StoredDefinition): Definition {
  return new Map(Object.entries(stored))
}

/** Whether two definitions say the same of every key, whatever the order. Defaults of secrets are not compared. */
export function sameDefinition(one: Definition, other: Definition): boolean {
  if (one.size !== other.size) return false
  for (const [key, rule] of one) {
    const match = other.get(key)
    if (match === undefined || canonicalText(rule) !== canonicalText(match)) return false
  }
  return true
}

/** JSON text of `value` with the members of every object in one order. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => sortMembers(member))
}

function sortMembers(member: unknown): unknown {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
  return Object.fromEntries(
    Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}
