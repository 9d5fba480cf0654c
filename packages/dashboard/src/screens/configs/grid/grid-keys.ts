/** Describes the action of a key in the grid. */
export type GridAction =
  | { readonly kind: 'move'; readonly row: number; readonly column: number }
  /** Holds the initial text of the edit. Default the current value. */
  | { readonly kind: 'edit'; readonly text?: string }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'unset' }
  /** Undoes the last edit, or redoes it. */
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'review' }
  | { readonly kind: 'filter' }
  | { readonly kind: 'menu' }

/** Describes a pressed key with its modifiers. */
export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** Describes the number of cells of a grid, and of rows on a page. */
export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Counts the visible rows. */
  readonly page: number
}

/** Locates a cell of the grid by its row and column, counted from 0. */
export interface GridCell {
  readonly row: number
  readonly column: number
}

type Step = (at: GridCell, size: GridSize) => GridCell

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  PageUp: ({ row, column }, { page }) => ({ row: row - page, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
}

const stepsWithControl: Readonly<Record<string, Step>> = {
  Home: () => ({ row: 0, column: 0 }),
  End: (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
  ArrowDown: ({ column }, { rows }) => ({ row: rows - 1, column }),
  ArrowUp: ({ column }) => ({ row: 0, column }),
  ArrowRight: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  ArrowLeft: ({ row }) => ({ row, column: 0 }),
}

/**
 * Returns the action of a key while a cell is active and not edited. `undefined`: none, so the browser handles it.
 * Tab moves along the row and leaves the grid at its ends, so that the focus is never trapped.
 */
export function toGridAction(
  pressed: PressedKey,
  at: GridCell,
  size: GridSize,
): GridAction | undefined {
  const { key, altKey, shiftKey } = pressed
  if (altKey) return undefined
  if (pressed.ctrlKey || pressed.metaKey) return toControlAction(pressed, at, size)
  const step = steps[key]
  if (step !== undefined) return toMove(step(at, size), size)
  if (key === 'Tab') return toTab(at, size, shiftKey ? -1 : 1)
  if (key === 'ContextMenu' || (shiftKey && key === 'F10')) return { kind: 'menu' }
  if (key === '/') return { kind: 'filter' }
  return at.column === 0 ? toKeyAction(key) : toCellAction(key)
}

function toControlAction(
  { key, shiftKey }: PressedKey,
  at: GridCell,
  size: GridSize,
): GridAction | undefined {
  if (key.toLowerCase() === 'z') return { kind: shiftKey ? 'redo' : 'undo' }
  if (key.toLowerCase() === 's') return { kind: 'review' }
  const step = stepsWithControl[key]
  return step && toMove(step(at, size), size)
}

function toMove({ row, column }: GridCell, { rows, columns }: GridSize): GridAction {
  return {
    kind: 'move',
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  }
}

function toTab(
  { row, column }: GridCell,
  { columns }: GridSize,
  by: 1 | -1,
): GridAction | undefined {
  const next = column + by
  return next < 0 || next >= columns ? undefined : { kind: 'move', row, column: next }
}

function toKeyAction(key: string): GridAction | undefined {
  return key === 'Enter' || key === ' ' || key === 'F2' ? { kind: 'menu' } : undefined
}

function toCellAction(key: string): GridAction | undefined {
  if (key === 'Enter' || key === 'F2') return { kind: 'edit' }
  if (key === ' ') return { kind: 'toggle' }
  if (key === 'Delete' || key === 'Backspace') return { kind: 'unset' }
  // Matches one character, even of several code units. Names of keys such as `Escape` are longer.
  return /^.$/su.test(key) ? { kind: 'edit', text: key } : undefined
}
