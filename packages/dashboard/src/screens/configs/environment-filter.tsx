import type { Environment } from './environments.ts'

interface EnvironmentFilterProps {
  readonly environments: readonly Environment[]
  /** Holds the id of the selected environment. `undefined`: all of them. */
  readonly value: string | undefined
  readonly onPick: (id: string | undefined) => void
}

/** Narrows a list to one environment. */
export function EnvironmentFilter({ environments, value, onPick }: EnvironmentFilterProps) {
  return (
    <select
      aria-label="Environment"
      className="control w-auto max-w-72"
      value={value ?? ''}
      onChange={({ target }) => onPick(target.value === '' ? undefined : target.value)}
    >
      <option value="">All environments</option>
      {environments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
