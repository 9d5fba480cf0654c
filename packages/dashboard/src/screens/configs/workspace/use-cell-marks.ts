import { useEffect, useRef } from 'react'
import { annotate, type CellNotes, type GridModel } from '../grid/grid-model.ts'

/** Keeps one fact of the notes about cells: those that `marks` names by their ids have it, all others lose it. */
export function useCellMarks<Name extends keyof CellNotes>(
  { notes }: GridModel,
  name: Name,
  marks: ReadonlyMap<string, NonNullable<CellNotes[Name]>> | undefined,
): void {
  const marked = useRef<ReadonlyMap<string, unknown>>(new Map())
  useEffect(() => {
    if (marks === undefined) return
    for (const id of marked.current.keys()) {
      if (!marks.has(id)) annotate(notes, id, { [name]: undefined })
    }
    for (const [id, mark] of marks) annotate(notes, id, { [name]: mark })
    marked.current = marks
  }, [marks, name, notes])
}
