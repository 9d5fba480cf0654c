import type { ReactNode } from 'react'

interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
  /** Explains the consequence of the choice. */
  readonly help?: string
}

interface RadioGroupProps<Value extends string> {
  readonly legend: string
  readonly name: string
  readonly value: Value
  readonly options: readonly RadioOption<Value>[]
  readonly onChange: (value: Value) => void
  /** Holds what belongs to the selected option, such as the fields that it asks for. */
  readonly children?: ReactNode
}

/** Shows a few choices, of which one is selected, each with its consequence. */
export function RadioGroup<Value extends string>({
  legend,
  name,
  value,
  options,
  onChange,
  children,
}: RadioGroupProps<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-7 items-start gap-2">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0 wrap-anywhere">
            {option.label}
            {option.help !== undefined && (
              <span className="block text-sm text-muted">{option.help}</span>
            )}
          </span>
        </label>
      ))}
      {children}
    </fieldset>
  )
}
