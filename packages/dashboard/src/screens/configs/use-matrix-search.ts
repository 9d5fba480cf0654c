import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { readMatrixSearch, type MatrixSearch } from './workspace/search.ts'

/** Reads the selected part of the matrix from the address, and changes it. */
export function useMatrixSearch(from: '/$org/config' | '/$org/flags') {
  // The router also passes on values that the reader left out.
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const onSearch = useCallback(
    (change: MatrixSearch) =>
      void navigate({
        search: (before) => readMatrixSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return { search, onSearch }
}
