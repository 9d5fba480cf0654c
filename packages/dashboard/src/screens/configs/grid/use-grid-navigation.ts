import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useReducer, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import {
  headerHeightPx,
  rowHeightPx,
  toDomId,
  type GridColumn,
  type GridModel,
} from './grid-model.ts'
import { isGroup, type GridLine } from './group-rows.ts'

interface Navigated {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly rows: readonly GridLine[]
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
}

/** Returns the rows to render, and moves the focus among all rows. */
export function useGridNavigation({ scroller, rows, columns, model }: Navigated) {
  const { active, navigator } = model
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const indexes = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows])
  const indexOf = useCallback((key: string | undefined) => indexes.get(key ?? ''), [indexes])

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 2,
    scrollMargin: headerHeightPx,
    scrollPaddingStart: headerHeightPx,
    // Keeps the focused row in the page wherever it is scrolled to: removed, it would lose the focus.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), indexOf(active.get()?.key)),
  })

  const goTo = useCallback(
    (key: string, column: number) => {
      const index = indexOf(key)
      if (index === undefined) return
      active.move({ key, column })
      // The header of a group is one cell, whatever the column.
      const domId = toDomId(key, isHeader(rows[index]) ? 0 : column)
      const find = () => document.getElementById(domId)
      if (find() === null) {
        virtualizer.scrollToIndex(index, { align: 'auto' })
        // Moves now and not with the next frame, because the next key is meant for the new cell. The browser would
        // report the scrolling later; reporting it now renders the rows once instead of twice.
        scroller.current?.dispatchEvent(new Event('scroll'))
        if (find() === null) flushSync(redraw)
      }
      const cell = find()
      cell?.focus({ preventScroll: true })
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    [active, indexOf, rows, scroller, virtualizer],
  )

  useLayoutEffect(() => {
    navigator.current = {
      goTo,
      step(byRows, byColumns) {
        const at = active.get()
        const row = findKey(rows, (indexOf(at?.key) ?? 0) + byRows, byRows)
        if (at && row) goTo(row.key, clamp(at.column + byColumns, columns.length + 1))
      },
    }
    return () => {
      navigator.current = undefined
    }
  }, [active, columns, goTo, indexOf, navigator, rows])

  return { virtualizer, indexOf, goTo }
}

/** Returns the key at an index, or the next one beyond headers, because a header has no value to edit. */
function findKey(rows: readonly GridLine[], index: number, by: number): GridLine | undefined {
  const at = clamp(index, rows.length)
  const beyond = by < 0 ? rows.slice(0, at + 1).toReversed() : rows.slice(at)
  return beyond.find((line) => !isGroup(line))
}

function withIndex(indexes: number[], at: number | undefined): number[] {
  return at === undefined || indexes.includes(at) ? indexes : [...indexes, at].sort((a, b) => a - b)
}

function isHeader(line: GridLine | undefined): boolean {
  return line !== undefined && isGroup(line)
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}
