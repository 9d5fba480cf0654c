import { canonicalJson } from '@signalbox/contract'
import type { StagedCell } from './staged.ts'

/** Maps the id of a cell to its staged change. `undefined`: nothing is staged. */
export type Cells = ReadonlyMap<string, StagedCell | undefined>

/** Describes the staged changes before and after one edit. */
interface Step {
  readonly before: Cells
  readonly after: Cells
}

/** Describes the history of staged edits. Undone edits can be redone until another edit is made. */
export interface EditHistory {
  readonly note: (before: Cells, after: Cells) => void
  /** Returns the cells of the last edit as they were before it. `undefined`: there is nothing to undo. */
  readonly undo: () => Cells | undefined
  /** Returns the cells of the last undone edit as they were after it. `undefined`: there is nothing to redo. */
  readonly redo: () => Cells | undefined
  /** Clears the history: the edits are saved, or discarded. */
  readonly forget: () => void
}

/** Creates an empty history. */
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

/** Returns whether two staged changes are equal. Staging the same again is no edit, because undoing it would change nothing. */
function isSame(one: StagedCell | undefined, other: StagedCell | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.base === other.base && canonicalJson(one.edit) === canonicalJson(other.edit)
}
