import type { ReactNode } from 'react'
import { Checkbox } from './field.tsx'
import { RadioGroup } from './radio-group.tsx'

interface AllOrSelectedProps {
  readonly legend: string
  readonly name: string
  /** Names the items in the singular. Example: `environment`. */
  readonly noun: string
  /** Holds its plural. Default: with an `s`. */
  readonly plural?: string
  /** Describes the choice of all items, and what it leaves out. Example: `All environments except production`. */
  readonly allLabel: string
  readonly options: readonly { readonly id: string; readonly name: ReactNode }[]
  /** Holds the ids of the selected items. `null`: all. */
  readonly chosen: readonly string[] | null
  readonly onChange: (chosen: readonly string[] | null) => void
  /** Says whether the form was sent without a selection. */
  readonly isUnselected: boolean
}

/** Renders the choice between all items and selected ones, so that an empty selection never means all. */
export function AllOrSelected({
  legend,
  name,
  noun,
  plural = `${noun}s`,
  allLabel,
  options,
  chosen,
  onChange,
  isUnselected,
}: AllOrSelectedProps) {
  return (
    <RadioGroup
      legend={legend}
      name={`${name}Range`}
      value={chosen === null ? 'all' : 'selected'}
      onChange={(range) => onChange(range === 'all' ? null : [])}
      options={[
        { value: 'all', label: allLabel },
        { value: 'selected', label: `Only selected ${plural}` },
      ]}
    >
      {chosen !== null && (
        <div className="ml-6 flex flex-wrap gap-x-4 gap-y-1">
          {options.map((option) => (
            <Checkbox
              key={option.id}
              label={option.name}
              checked={chosen.includes(option.id)}
              onChange={({ target }) => {
                const others = chosen.filter((id) => id !== option.id)
                onChange(target.checked ? [...others, option.id] : others)
              }}
            />
          ))}
        </div>
      )}
      {chosen?.length === 0 && isUnselected && (
        <p role="alert" className="ml-6 text-sm text-bad">
          Select at least one {noun}.
        </p>
      )}
    </RadioGroup>
  )
}
