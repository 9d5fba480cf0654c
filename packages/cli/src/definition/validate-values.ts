import type { ConfigValue } from '@signalbox/contract'
import type { Definition } from './definition.ts'

/** Describes a stored value that the definition refuses. */
export interface ValueViolation {
  readonly key: string
  /** Never repeats the value of a secret. */
  readonly detail: string
}

/** Holds what prevents a program from starting with values. */
export interface ValueViolations {
  /** Lists the required keys without a value. */
  readonly missing: readonly string[]
  readonly invalid: readonly ValueViolation[]
}

/**
 * Checks values with the validators of the code. `run` starts a program where it finds nothing, so `check` and `set`
 * ask it too.
 */
export async function findValueViolations(
  { keys }: Pick<Definition, 'keys'>,
  values: Readonly<Record<string, ConfigValue>>,
): Promise<ValueViolations> {
  const missing: string[] = []
  const checks: Promise<ValueViolation[]>[] = []
  for (const [key, defined] of keys) {
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    if (value === undefined) {
      if (defined.required && !defined.hasDefault) missing.push(key)
      continue
    }
    checks.push(
      defined.check(value).then((detail) => (detail === undefined ? [] : [{ key, detail }])),
    )
  }
  return { missing, invalid: (await Promise.all(checks)).flat() }
}
