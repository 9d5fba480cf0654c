import { useEffect, useState } from 'react'

/** Returns a value once it has stood still for `ms`, such as what is being typed into a search. */
export function useDebounced<Value>(value: Value, ms = 200): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
