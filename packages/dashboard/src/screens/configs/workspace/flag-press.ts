import { asksFirst, type CellRef } from '../matrix.ts'
import { toStaged, type StagedCell } from '../staged.ts'

/** Returns the change that a press makes. A kill switch that is turned off is off for everyone, so it loses its rules. */
export function toPress(cellRef: CellRef, checked: boolean): StagedCell | undefined {
  const { row, cell } = cellRef
  const dropsRules = row.killSwitch === true && !checked && (cell.rules ?? []).length > 0
  return toStaged(cellRef, { kind: 'set', value: checked, ...(dropsRules && { rules: [] }) })
}

/**
 * Returns whether a press is reviewed before it is saved: in production and where the environment requires a
 * confirmation. A kill switch is not held up by production alone.
 */
export function needsReview({ row, cell, environment }: CellRef): boolean {
  const { confirm, comment } = environment.protection
  if (row.killSwitch === true) return confirm || comment
  // An own value takes the place of inherited rules, which is to be read before it is saved.
  const losesRules = cell.source !== 'set' && (cell.rules ?? []).length > 0
  return asksFirst(environment) || losesRules
}
