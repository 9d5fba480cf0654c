import { isTurnedOff, parseEnvText, sameValue, type EnvAssignment } from '@signalbox/contract'
import { parseValueOf } from '../parse-value.ts'
import type { Matrix, MatrixEnvironment, CellRef } from '../matrix.ts'
import { toStaged, type StagedCell } from '../staged.ts'
import { findKeyOf } from './env-name.ts'

/** Describes the effect of a pasted line. */
export interface PastedLine {
  readonly assignment: EnvAssignment
  readonly cellRef: CellRef | undefined
  readonly outcome: 'new' | 'replaces' | 'same' | 'unknown' | 'invalid'
  /** Explains why the line is skipped, or is suspicious. */
  readonly detail?: string
  readonly change?: StagedCell
}

/** Describes what pasting an env file would stage. */
export interface PastePlan {
  readonly lines: readonly PastedLine[]
  /** Numbers the lines that are no assignment. */
  readonly unread: readonly number[]
}

/** Compares the assignments of a text with the values of an environment. It stages nothing. */
export function planPaste(matrix: Matrix, environment: MatrixEnvironment, text: string): PastePlan {
  const { assignments, unread } = parseEnvText(text)
  const at = matrix.environments.findIndex(({ id }) => id === environment.id)
  const lines = assignments.map((assignment) => {
    const row = findKeyOf(matrix.keys, assignment.name)
    const cell = row?.cells[at]
    return planLine(assignment, row && cell && { row, cell, environment })
  })
  return { lines, unread }
}

function planLine(assignment: EnvAssignment, cellRef: CellRef | undefined): PastedLine {
  if (cellRef === undefined) {
    const detail = 'The schema has no key with this name.'
    return { assignment, cellRef, outcome: 'unknown', detail }
  }
  const parsed = parseValueOf(cellRef.row, assignment.value)
  if (!parsed.ok) return { assignment, cellRef, outcome: 'invalid', detail: parsed.error }
  if (parsed.value === true && isTurnedOff(cellRef.cell.rules)) {
    const detail = 'It is turned off. Turn it on first.'
    return { assignment, cellRef, outcome: 'invalid', detail }
  }
  const change = toStaged(cellRef, { kind: 'set', value: parsed.value })
  if (change === undefined) return { assignment, cellRef, outcome: 'same' }
  const { source, value } = cellRef.cell
  // Setting the inherited value here would disconnect it from its source.
  if (!change.secret && sameValue(value, parsed.value)) {
    const detail = `Already ${source === 'default' ? 'the default' : 'inherited'}: no change.`
    return { assignment, cellRef, outcome: 'same', detail }
  }
  return {
    assignment,
    cellRef,
    change,
    outcome: source === 'missing' || source === 'unset' ? 'new' : 'replaces',
    ...(assignment.refers && {
      detail:
        'It refers to another variable, which Signalbox doesn’t look up: the text itself becomes the value.',
    }),
  }
}
