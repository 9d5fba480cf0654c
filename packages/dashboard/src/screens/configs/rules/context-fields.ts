import type { AttributeCondition, EvaluationContext } from '@signalbox/contract'

/** Parses a context that a person typed or pasted, or says what is wrong with it. */
export function parseContext(
  text: string,
): { readonly context: EvaluationContext } | { readonly error: string } {
  try {
    const context: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    if (isContext(context)) return { context }
  } catch {
    // Said below, as for anything that is no object.
  }
  return { error: 'Type a JSON object, such as {"targetingKey": "user-4711"}.' }
}

function isContext(value: unknown): value is EvaluationContext {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets an attribute of a context to what a person typed, in the type that conditions compare it with. */
export function setAttribute(
  context: EvaluationContext,
  name: string,
  text: string,
  conditions: readonly AttributeCondition[],
): EvaluationContext {
  if (text !== '') return { ...context, [name]: toTyped(text, typesOf(name, conditions)) }
  return Object.fromEntries(Object.entries(context).filter(([other]) => other !== name))
}

/**
 * Returns an attribute as its field shows it: what a person typed for as long as it means the same, so that `2.` can become
 * `2.5`.
 */
export function toFieldText(value: unknown, typed: string, types: ReadonlySet<string>): string {
  if (typed !== '' && toTyped(typed, types) === value) return typed
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the types with which conditions compare an attribute. */
export function typesOf(
  name: string,
  conditions: readonly AttributeCondition[],
): ReadonlySet<string> {
  const own = conditions.filter(({ attribute }) => attribute === name)
  return new Set(
    own.flatMap((condition) => {
      if ('values' in condition) return condition.values.map((value) => typeof value)
      return 'value' in condition ? [typeof condition.value] : []
    }),
  )
}

function toTyped(text: string, types: ReadonlySet<string>): unknown {
  const isNumber = types.has('number') && text.trim() !== '' && Number.isFinite(Number(text))
  if (isNumber) return Number(text)
  return types.has('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}
