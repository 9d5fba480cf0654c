import { parseValue } from '../parse-value.ts'
import type { Matrix, MatrixEnvironment, Place } from '../matrix.ts'
import { toStaged, type StagedCell } from '../staged.ts'
import { findKeyOf } from './env-name.ts'
import { parseEnvText, type Assignment } from './parse-env-text.ts'

/** What a line of a pasted file comes to. */
export interface PastedLine {
  readonly assignment: Assignment
  readonly place: Place | undefined
  readonly outcome: 'new' | 'replaces' | 'same' | 'unknown' | 'invalid'
  /** Why it is not taken, or what is odd about it. */
  readonly detail?: string
  readonly change?: StagedCell
}

export interface PastePlan {
  readonly lines: readonly PastedLine[]
  /** Numbers of lines that are no assignment. */
  readonly unread: readonly number[]
}

/** Lays the assignments of a text beside what an environment has. Nothing is staged by it. */
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

function planLine(assignment: Assignment, place: Place | undefined): PastedLine {
  if (place === undefined) {
    const detail = 'The schema has no key of this name.'
    return { assignment, place, outcome: 'unknown', detail }
  }
  const parsed = parseValue(assignment.value, place.row.type)
  if (!parsed.ok) return { assignment, place, outcome: 'invalid', detail: parsed.fault }
  const change = toStaged(place, { kind: 'set', value: parsed.value })
  if (change === undefined) return { assignment, place, outcome: 'same' }
  const { source, value } = place.cell
  // To set it here as well would cut it off from where it comes from.
  if (!change.secret && value === parsed.value) {
    const detail = `Already ${source === 'default' ? 'the default' : 'inherited'}, and stays so.`
    return { assignment, place, outcome: 'same', detail }
  }
  return {
    assignment,
    place,
    change,
    outcome: source === 'missing' || source === 'unset' ? 'new' : 'replaces',
    ...(assignment.refers && {
      detail:
        'It refers to another variable. That is not looked up: the text is taken as it stands.',
    }),
  }
}
