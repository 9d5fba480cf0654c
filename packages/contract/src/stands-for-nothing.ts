/** Lists what programs write where they have no value, as whole texts. */
const nothing = /^(?:undefined|null|NaN|Invalid Date|\[object [A-Z]\w*\])$/

/**
 * Returns whether a value is a text that programs write for a missing one. Example: `undefined`, which is
 * `String(undefined)`. None is ever a default: it would be a password that everybody knows.
 */
export function standsForNothing(value: unknown): boolean {
  return typeof value === 'string' && nothing.test(value)
}
