import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the address of the gates. */
export const readGatesSearch = readSearch({
  /** Holds the id of a gate, or `new`. */
  gate: text,
  panel: oneOf('change', 'delete'),
  /** Selects every deployment that asked. Default those that wait. */
  list: oneOf('all'),
})

/** Describes the address of the gates. */
export type GatesSearch = ReturnType<typeof readGatesSearch>

/** Reads the address of one decision. */
export const readDecisionSearch = readSearch({
  /** Names the open dialog. */
  panel: oneOf('approve', 'override', 'refuse'),
})

/** Describes what is open on the page of a decision. */
export type DecisionSearch = ReturnType<typeof readDecisionSearch>
