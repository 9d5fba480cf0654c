import { useEffect, useId, useState, type ReactNode } from 'react'

/** Waits so many milliseconds after the last key before the list is read. */
const quietMs = 300

/** The focused control marks the whole filter, so the line surrounds its name too. */
const chip =
  'inline-flex h-7 max-w-full items-center gap-1.5 rounded-md border px-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent forced-colors:has-focus-visible:outline-[Highlight] max-sm:w-full'

interface ChipProps {
  readonly label: string
  /** Says whether the filter narrows the list. */
  readonly isUsed: boolean
  readonly children: (id: string) => ReactNode
}

/** Shows one filter: its name and its control on one line. A filter in use has another ground. */
function Chip({ label, isUsed, children }: ChipProps) {
  const id = useId()
  return (
    <div className={`${chip} ${isUsed ? 'border-accent bg-info-ground' : 'border-edge bg-panel'}`}>
      <label htmlFor={id} className="shrink-0 text-muted">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** Reaches over the border of its filter, so that the target is 24 pixels high. */
const control = '-my-px h-7 min-w-0 bg-transparent text-text outline-none max-sm:flex-1'

interface TextFilterProps {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  readonly onChange: (value: string) => void
}

/** Renders a text filter. It applies after a pause in typing, or with Enter. */
export function TextFilter({ label, value, placeholder = 'All', onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  const [former, setFormer] = useState(value)
  // Takes over a change from outside, such as "Clear" or the back button.
  if (former !== value) {
    setFormer(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim()), quietMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <Chip label={label} isUsed={value !== ''}>
      {(id) => (
        <input
          id={id}
          className={`${control} w-16 placeholder:text-muted`}
          value={typed}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') onChange(typed.trim())
          }}
        />
      )}
    </Chip>
  )
}

interface DayFilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

export function DayFilter({ label, value = '', onChange }: DayFilterProps) {
  return (
    <Chip label={label} isUsed={value !== ''}>
      {(id) => (
        <input
          id={id}
          type="date"
          className={control}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Chip>
  )
}

interface ChoiceFilterProps {
  readonly label: string
  readonly value: string
  /** Lists the choices without the one for all. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly all?: string
  readonly onChange: (value: string) => void
}

/** Renders a filter by one of a few choices. A value that the list lacks stays visible. */
export function ChoiceFilter({ label, value, options, all = 'All', onChange }: ChoiceFilterProps) {
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <Chip label={label} isUsed={value !== ''}>
      {(id) => (
        <select
          id={id}
          className={`${control} field-sizing-content max-w-36 truncate max-sm:max-w-none`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{all}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Chip>
  )
}
