import { useEffect, useRef, useState } from 'react'
import type { MatrixSearch } from './search.ts'

const settledMs = 300

/**
 * Holds the typed filter. The address follows once a person stops typing, and the field follows an address that something
 * else has changed, such as the palette.
 */
export function useFilterText(
  { filter = '' }: MatrixSearch,
  onSearch: (change: MatrixSearch) => void,
) {
  const [text, setText] = useState(filter)
  const sent = useRef(filter)
  useEffect(() => {
    if (filter === sent.current) return
    sent.current = filter
    setText(filter)
  }, [filter])
  useEffect(() => {
    if (text === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text
      onSearch({ filter: text === '' ? undefined : text })
    }, settledMs)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return [text, setText] as const
}
