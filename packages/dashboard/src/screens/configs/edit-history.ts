import { canonicalJson } from '@signalbox/contract'
import type { StagedCell } from './staged.ts'

/** Describes what is staged for a cell, by its id; `undefined`: nothing. */
export type Cells = ReadonlyMap<string, StagedCell | undefined>

/** Describes what one act changed of what is staged. */
interface Step {
  readonly before: Cells
  readonly after: Cells
}

/** The acts that can be taken back, the last one first, and put back until something else is done. */
export interface EditHistory {
  readonly note: (before: Cells, after: Cells) => void
  /** Returns what the cells of the last act held before it; `undefined` when nothing is left to take back. */
  readonly undo: () => Cells | undefined
  /** Returns what the cells of the act that was taken back last held after it. */
  readonly redo: () => Cells | undefined
  /** Nothing can be taken back any more: it is saved, or thrown away. */
  readonly forget: () => void
}

/** Creates a history without any act. */
export function createEditHistory(): EditHistory {
  let done: readonly Step[] = []
  let undone: readonly Step[] = []
  return {
    note(before, after) {
      if ([...after].every(([id, change]) => isSame(before.get(id), change))) return
      done = [...done, { before, after }]
      undone = []
    },
    undo() {
      const step = done.at(-1)
      if (step === undefined) return undefined
      done = done.slice(0, -1)
      undone = [...undone, step]
      return step.before
    },
    redo() {
      const step = undone.at(-1)
      if (step === undefined) return undefined
      undone = undone.slice(0, -1)
      done = [...done, step]
      return step.after
    },
    forget() {
      done = []
      undone = []
    },
  }
}

/** To stage what is staged already is no act: taking it back would change nothing. */
function isSame(one: StagedCell | undefined, other: StagedCell | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.base === other.base && canonicalJson(one.edit) === canonicalJson(other.edit)
}
