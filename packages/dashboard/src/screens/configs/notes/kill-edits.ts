import { divideServe, isTurnedOff, turnOff, turnOn } from '@signalbox/contract'
import type { CellRef, MatrixCell } from '../matrix.ts'
import type { Edit } from '../staged.ts'

/** Returns whether anybody gets a flag in an environment, so that there is something to turn off. */
export function isOnForAnyone({ value, rules = [] }: Pick<MatrixCell, 'value' | 'rules'>): boolean {
  if (isTurnedOff(rules)) return false
  return (
    value === true ||
    // A variant may be on. Turning off what is off already does no harm.
    rules.some(({ serve }) => divideServe(serve).shares.some(({ served }) => served !== false))
  )
}

/** Returns the edit that turns a flag off for everyone and keeps aside what the environment sets. */
export function toOffEdit({ cell }: Pick<CellRef, 'cell'>): Edit {
  return { kind: 'set', ...turnOff(toOwn(cell)) }
}

/**
 * Returns the edit that turns a flag on: it brings back the value and rules that were kept aside. A flag that is off
 * without having been turned off is turned on for everyone. `undefined`: another environment turned it off, so it has
 * to be turned on there.
 */
export function toOnEdit({ cell }: Pick<CellRef, 'cell'>): Edit | undefined {
  const { rules = [], source } = cell
  if (!isTurnedOff(rules)) return { kind: 'set', value: true }
  if (source !== 'set') return undefined
  const own = turnOn(rules)
  return own === undefined ? { kind: 'unset' } : { kind: 'set', ...own }
}

function toOwn({ source, value, rules = [] }: MatrixCell) {
  return source === 'set' ? { value: value === true, rules } : undefined
}
