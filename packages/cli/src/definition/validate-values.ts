import type { ConfigValue } from '@signalbox/contract'
import type { Definition } from './definition.ts'

/** Describes a stored value that the definition refuses. */
export interface ValueFault {
  readonly key: string
  /** Never repeats the value. */
  readonly detail: string
}

/** Checks values with the validators of the code, and lists missing and refused ones. */
export async function findValueFaults(
  { keys }: Definition,
  values: Readonly<Record<string, ConfigValue>>,
): Promise<ValueFault[]> {
  const faults: ValueFault[] = []
  for (const [key, defined] of keys) {
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    if (value === undefined) {
      if (defined.required && !defined.hasDefault)
        faults.push({ key, detail: 'is required and has no value' })
      continue
    }
    const issues = await defined.check(value)
    const [first] = issues
    // A validator's message may quote the refused value.
    if (first !== undefined)
      faults.push({
        key,
        detail: defined.tier === 'secret' ? 'is refused by its validator' : first,
      })
  }
  return faults
}
