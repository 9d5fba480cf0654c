import { controlsPrograms } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'

/** Holds a key with the name of its variable. */
export interface NamedKey {
  /** Holds the name of the variable. */
  readonly name: string
  readonly key: string
}

/** Returns the keys whose variables control programs. */
export function findProcessControl(entries: Iterable<NamedKey>): NamedKey[] {
  return [...entries].filter(({ name }) => controlsPrograms(name))
}

/**
 * Throws for variables that control programs, such as NODE_OPTIONS, and are not in `allowed`.
 *
 * @throws {CliError} `steering_name`
 */
export function assertNoProcessControl(
  entries: Iterable<NamedKey>,
  allowed: readonly string[] = [],
): void {
  const refused = findProcessControl(entries).filter(({ name }) => !allowed.includes(name))
  if (refused.length === 0) return
  throw new CliError(
    'validation',
    'steering_name',
    'Some keys become variables that could run code.',
    {
      details: refused.map(({ name, key }) => `${key}: ${name}`),
      advice: `Rename the key in the definition, or if that is what you want: --allow-variable ${refused.map(({ name }) => name).join(',')}`,
    },
  )
}
