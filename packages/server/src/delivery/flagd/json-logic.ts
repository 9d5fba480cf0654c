/** Describes an expression of JSONLogic with the operators of flagd. */
export type JsonLogic =
  | string
  | number
  | boolean
  | null
  | readonly JsonLogic[]
  | { readonly [operator: string]: JsonLogic }

/** Describes an attribute of the context, and what can be asked about it. */
export interface Attribute {
  /** Reads the attribute; null when the context lacks it. */
  readonly read: JsonLogic
  /** Holds for a string: JSONLogic converts what it compares, so that 5 would start with "5". */
  readonly isText: JsonLogic
  /** Holds for a number, and neither for a text of digits nor for a boolean. */
  readonly isNumber: JsonLogic
}

/** Texts of booleans, of which some languages make numbers. */
const booleanTexts = ['true', 'false', 'True', 'False']

/** Describes an attribute by its name. */
export function readAttribute(name: string): Attribute {
  const read = { var: name }
  const text = { cat: [read] }
  return {
    read,
    isText: { '===': [text, read] },
    isNumber: all([
      { '!==': [text, read] },
      not({ in: [text, booleanTexts] }),
      { '===': [{ '*': [read, 1] }, read] },
    ]),
  }
}

/** Holds when all conditions hold; true when there are none. */
export function all(conditions: readonly JsonLogic[]): JsonLogic {
  const [first, ...others] = conditions
  if (first === undefined) return true
  return others.length === 0 ? first : { and: conditions }
}

/** Holds when one of the conditions holds; false when there are none. */
export function any(conditions: readonly JsonLogic[]): JsonLogic {
  const [first, ...others] = conditions
  if (first === undefined) return false
  return others.length === 0 ? first : { or: conditions }
}

/** Holds when the condition does not. */
export function not(condition: JsonLogic): JsonLogic {
  return { '!': [condition] }
}
