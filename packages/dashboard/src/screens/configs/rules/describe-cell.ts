import { describeFlag } from '@signalbox/contract'
import type { CellRef } from '../matrix.ts'
import { rulesOf, type StagedCell } from '../staged.ts'

/** Returns the state of a flag in an environment in words, its staged change included. */
export function describeCell(
  { cell }: Pick<CellRef, 'cell'>,
  change: StagedCell | undefined,
): string {
  const value = change?.edit.kind === 'set' ? change.edit.value : cell.value
  return describeFlag({ value, rules: rulesOf(change, { cell }) })
}
