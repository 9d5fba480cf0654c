import { useEffect, useState } from 'react'
import type { GridColumn, GridModel } from '../grid/grid-model.ts'
import type { Matrix } from '../matrix.ts'
import { noFilters, type MatrixSearch } from './search.ts'

interface AddedKeyOptions {
  readonly matrix: Matrix
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
}

/** Goes to the row of a key that was added, once the matrix has it: to its first missing cell, or else to its name. */
export function useAddedKey({ matrix, columns, model, search, onSearch }: AddedKeyOptions) {
  const [added, setAdded] = useState<string>()
  const [reachedKey, setReachedKey] = useState<string>()
  const { filter, tier, only, owner, tag } = search
  const isFiltered = [filter, tier, only, owner, tag].some((part) => part !== undefined)
  useEffect(() => {
    if (!isFiltered && added !== undefined) setReachedKey(added)
  }, [added, isFiltered])
  useEffect(() => {
    const row = matrix.keys.find(({ key }) => key === added)
    if (row === undefined || reachedKey !== added || search.panel !== undefined) return undefined
    const missing = columns.findIndex(({ at }) => row.cells[at]?.source === 'missing')
    // A grid that was just rendered has no rows yet, and an effect cannot render them.
    const frame = requestAnimationFrame(() => {
      model.navigator.current?.goTo(row.key, missing + 1)
      setAdded(undefined)
    })
    return () => cancelAnimationFrame(frame)
  }, [added, columns, matrix, model, search.panel, reachedKey])
  const onAdded = (key: string) => {
    setAdded(key)
    onSearch({ ...noFilters, panel: undefined })
  }
  return { reachedKey, onAdded }
}
