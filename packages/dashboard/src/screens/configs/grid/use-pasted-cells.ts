import { toVariableText } from '@signalbox/contract'
import type { ClipboardEvent } from 'react'
import { showToast } from '../../../components/toasts.tsx'
import { toCellId, type CellRef } from '../matrix.ts'
import { parseValueOf } from '../parse-value.ts'
import { isEditor, type CellValue, type GridModel } from './grid-model.ts'
import { isGroup, type GridLine } from './group-rows.ts'
import { isEnvText, toPastedCells } from './pasted-cells.ts'
import { cellAt, type GridContext } from './use-grid-keyboard.ts'

/** Copies the active cell, and pastes cells of a spreadsheet from the active one on, down and to the right. */
export function usePastedCells(
  context: GridContext,
  onEnvText: (text: string, environmentId: string | undefined) => void,
) {
  const { model, indexOf, rows } = context
  const at = () => {
    const position = model.active.get()
    const row = indexOf(position?.key)
    return position && row !== undefined ? { row, column: position.column } : undefined
  }

  return {
    onCopy: (event: ClipboardEvent<HTMLDivElement>) => {
      const from = at()
      if (from === undefined || isEditor(event)) return
      const cellRef = cellAt(context, from.row, from.column)
      const text = cellRef === undefined ? toLineName(rows[from.row]) : toCopiedText(model, cellRef)
      event.preventDefault()
      if (text === undefined) {
        showToast({ text: 'Nothing to copy: the value is secret or missing.' })
      } else event.clipboardData.setData('text/plain', text)
    },
    onPaste: (event: ClipboardEvent<HTMLDivElement>) => {
      const from = at()
      if (from === undefined || isEditor(event) || !model.may('writeValues')) return
      event.preventDefault()
      const text = event.clipboardData.getData('text/plain')
      const { environment } = cellAt(context, from.row, from.column) ?? {}
      if (isEnvText(text)) onEnvText(text, environment?.id)
      else pasteCells(context, from, toPastedCells(text))
    },
  }
}

function toLineName(line: GridLine | undefined): string | undefined {
  return line !== undefined && isGroup(line) ? line.group : line?.key
}

/** Returns the visible value of a cell. A secret only while it is revealed. */
function toCopiedText({ staged, notes }: GridModel, { row, cell, environment }: CellRef) {
  const id = toCellId(environment.id, row.key)
  const edit = staged.get(id)?.edit
  const value =
    row.tier === 'secret' ? notes.get(id)?.revealed : edit?.kind === 'set' ? edit.value : cell.value
  return value === undefined ? undefined : toVariableText(value)
}

function pasteCells(
  context: GridContext,
  from: { readonly row: number; readonly column: number },
  cells: readonly (readonly string[])[],
): void {
  const { model, rows, indexOf } = context
  // The header of a group takes none of the pasted lines.
  const keys = rows.slice(from.row).filter((line) => !isGroup(line))
  const wrong: string[] = []
  const locked: string[] = []
  const values: CellValue[] = []
  for (const [down, line] of cells.entries()) {
    for (const [right, text] of line.entries()) {
      const cellRef = cellAt(context, indexOf(keys[down]?.key) ?? -1, from.column + right)
      if (cellRef === undefined) continue
      const parsed = parseValueOf(cellRef.row, text)
      const name = `${cellRef.row.key} in ${cellRef.environment.name}`
      if (!model.may('writeValues', cellRef.environment.id)) locked.push(name)
      else if (parsed.ok) values.push({ cellRef, value: parsed.value })
      else wrong.push(name)
    }
  }
  model.keepStaged(values)
  reportLeftOut('of the wrong type', wrong)
  reportLeftOut('where your role does not let you write', locked)
}

function reportLeftOut(reason: string, cells: readonly string[]): void {
  if (cells.length === 0) return
  const names = cells.slice(0, 3).join(', ')
  const more = cells.length > 3 ? ` and ${cells.length - 3} more` : ''
  showToast({ text: `Not pasted, ${reason}: ${names}${more}.`, tone: 'bad' })
}
