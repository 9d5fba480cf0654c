import type { FlagCondition } from './flag-rules.ts'

/** Describes an attribute that conditions ask for, with values that they compare it with. */
export interface SeenAttribute {
  readonly attribute: string
  readonly values: readonly (string | number | boolean)[]
}

const attributesMax = 50
const valuesMax = 20
const charactersMax = 100

/**
 * Returns the first 50 attributes that conditions ask for, each with the first 20 values that one can be equal to. A part of
 * a text, a bound and a long value are no values to propose.
 */
export function listSeenAttributes(conditions: readonly FlagCondition[]): SeenAttribute[] {
  const attributes = new Map<string, Set<SeenAttribute['values'][number]>>()
  for (const condition of conditions) {
    if (condition.operator === 'segment') continue
    const values = attributes.get(condition.attribute) ?? new Set()
    if (!attributes.has(condition.attribute) && attributes.size === attributesMax) continue
    attributes.set(condition.attribute, values)
    for (const value of listValues(condition)) {
      if (values.size < valuesMax && String(value).length <= charactersMax) values.add(value)
    }
  }
  return [...attributes].map(([attribute, values]) => ({ attribute, values: [...values] }))
}

function listValues(condition: FlagCondition): SeenAttribute['values'] {
  if (condition.operator === 'equals') return [condition.value]
  return condition.operator === 'in' ? condition.values : []
}
