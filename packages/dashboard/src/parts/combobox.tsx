import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { tellCount } from './tell-count.ts'

interface ComboboxProps<Option> {
  readonly label: string
  readonly placeholder?: string
  readonly query: string
  readonly onQuery: (query: string) => void
  /** `undefined` while nobody knows them: that nothing matches is not said then. */
  readonly options: readonly Option[] | undefined
  readonly keyOf: (option: Option) => string
  readonly render: (option: Option) => ReactNode
  readonly onChoose: (option: Option) => void
  /** Below the options: how many there are, or why some are missing. */
  readonly footer?: ReactNode
}

/** A list that is searched by typing. The focus stays in the field; the option that Enter would choose is announced. */
export function Combobox<Option>({
  label,
  placeholder,
  query,
  onQuery,
  options: known,
  keyOf,
  render,
  onChoose,
  footer,
}: ComboboxProps<Option>) {
  const listId = useId()
  const options = known ?? []
  const [at, setAt] = useState(0)
  const active = Math.min(at, options.length - 1)
  const chosen = options[active]
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, active])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      setAt((active + step + options.length) % options.length)
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      onChoose(chosen)
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <input
        className="control"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${active}`}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ target }) => {
          onQuery(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        id={listId}
        role="listbox"
        aria-label={label}
        className="max-h-64 overflow-y-auto rounded-md border border-line empty:border-0"
      >
        {options.map((option, index) => (
          <li
            key={keyOf(option)}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerMove={() => setAt(index)}
            onClick={() => onChoose(option)}
            className="flex min-h-8 cursor-pointer items-center gap-2 px-2.5 py-1 aria-selected:bg-raised forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2"
          >
            {render(option)}
          </li>
        ))}
      </ul>
      <p role="status" className={options.length > 0 ? 'sr-only' : 'text-sm text-muted'}>
        {known && tellCount(known.length)}
      </p>
      {footer !== undefined && <div className="text-sm text-muted">{footer}</div>}
    </div>
  )
}
