import { useEffect, useState } from 'react'
import { TextField } from '../../../components/field.tsx'

/** Waits so many milliseconds after the last key before the list is read. */
const quietMs = 300

interface TextFilterProps {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  readonly onChange: (value: string) => void
}

/** Renders a text filter. It applies after a pause in typing, or with Enter. */
export function TextFilter({ label, value, placeholder, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // Takes over a change from outside, such as "Clear" or the back button.
  if (shown !== value) {
    setShown(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim()), quietMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <div className="w-36 max-sm:w-full">
      <TextField
        label={label}
        value={typed}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onChange(typed.trim())
        }}
      />
    </div>
  )
}

interface DayFilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

/** Renders a filter by day. */
export function DayFilter({ label, value = '', onChange }: DayFilterProps) {
  return (
    <div className="w-36 max-sm:w-full">
      <TextField
        label={label}
        type="date"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
