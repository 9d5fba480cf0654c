import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { readMatrixSearch, type SearchChange } from './workspace/search.ts'

/** Reads which part of the matrix the address is about, and changes it. */
export function useMatrixSearch(from: '/$org/config' | '/$org/flags') {
  // The router hands on what the reader left out as well.
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const onSearch = useCallback(
    (change: SearchChange) =>
      void navigate({
        search: (before) => readMatrixSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return { search, onSearch }
}
