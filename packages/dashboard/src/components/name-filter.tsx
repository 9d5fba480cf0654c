interface NameFilterProps {
  readonly label: string
  /** Holds the text of the first option, which filters nothing. */
  readonly all: string
  readonly names: readonly string[]
  readonly value: string | undefined
  readonly onPick: (name: string | undefined) => void
}

/** Renders a filter by one of some names. A name out of the address is offered although the names lack it. */
export function NameFilter({ label, all, names, value, onPick }: NameFilterProps) {
  const options = value === undefined || names.includes(value) ? names : [value, ...names]
  return (
    <select
      aria-label={label}
      className="control w-auto max-w-56"
      value={value ?? ''}
      onChange={({ target }) => onPick(target.value === '' ? undefined : target.value)}
    >
      <option value="">{all}</option>
      {options.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}
