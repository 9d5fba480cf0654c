import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { NoSchema } from '../../configs/schema-picker.tsx'
import { SchemaMatrix } from '../../configs/workspace/schema-matrix.tsx'
import { readMatrixSearch, type SearchChange } from '../../configs/workspace/search.ts'

/** Every key in every environment. */
export function ConfigScreen() {
  // The router hands on what the reader left out as well.
  const search = useSearch({ from: '/$org/config' })
  const navigate = useNavigate({ from: '/$org/config' })
  const onSearch = useCallback(
    (change: SearchChange) =>
      void navigate({
        search: (before) => readMatrixSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return (
    <SchemaMatrix title="Configuration" search={search} onSearch={onSearch} empty={<NoSchema />} />
  )
}
