import {
  findPublishedSecret,
  findVariableViolation,
  type ConfigValue,
  type Tier,
} from '@signalbox/contract'
import type { Output } from '../terminal/output.ts'
import type { Dialect } from './dialects.ts'

/** Holds a key with the name of its variable. */
export interface NamedEntry {
  /** Holds the name of the variable. */
  readonly name: string
  readonly key: string
  readonly tier: Tier
  readonly value?: ConfigValue
}

/**
 * Returns the entries that may go out as variables, and warns of each other one by its name, so that one key never stops the
 * programs that read the others. `allowed` names variables that control programs and are wanted all the same.
 */
export function leaveOutUnusable<E extends NamedEntry>(
  output: Pick<Output, 'warn'>,
  entries: readonly E[],
  allowed: readonly string[] = [],
): E[] {
  return leaveOut(output, entries, (entry) => {
    const violation = findVariableViolation(entry, allowed)
    const isLifted = findVariableViolation(entry, [entry.name]) === undefined
    const way = isLifted ? ` Or, if that is what you want: --allow-variable ${entry.name}` : ''
    return violation && `${violation}${way}`
  })
}

/** Returns the entries that may stand in data, which starts no program: all but secrets with a name that bundlers publish. */
export function leaveOutPublished<E extends NamedEntry>(
  output: Pick<Output, 'warn'>,
  entries: readonly E[],
): E[] {
  return leaveOut(output, entries, findPublishedSecret)
}

/** Returns the entries whose names a program reads out of its env file, and warns of each other one. */
export function leaveOutUnreadable<E extends NamedEntry>(
  output: Pick<Output, 'warn'>,
  entries: readonly E[],
  { name: reader, nextStep }: Dialect,
): E[] {
  return leaveOut(output, entries, ({ name }) =>
    reader !== 'sh' || /^[A-Za-z_]\w*$/.test(name)
      ? undefined
      : `A file for ${reader} can't hold this name. ${nextStep}`,
  )
}

function leaveOut<E extends NamedEntry>(
  output: Pick<Output, 'warn'>,
  entries: readonly E[],
  findViolation: (entry: NamedEntry) => string | undefined,
): E[] {
  return entries.filter((entry) => {
    const violation = findViolation(entry)
    if (violation !== undefined) output.warn(`left out: ${entry.key} (${entry.name}): ${violation}`)
    return violation === undefined
  })
}
