import type { MatrixEnvironment } from '../matrix.ts'
import { SelectField } from '../../../components/field.tsx'
import type { MatrixSearch } from '../workspace/search.ts'
import type { Pair } from './promotion.ts'

interface PairFieldsProps {
  readonly pair: Pair
  readonly environments: readonly MatrixEnvironment[]
  readonly onSearch: (change: MatrixSearch) => void
}

/** Lets a person choose the environments to promote from and to. */
export function PairFields({ pair, environments, onSearch }: PairFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
      <EnvironmentField
        label="From"
        value={pair.fromEnvironmentId}
        environments={environments}
        onPick={(from) => onSearch({ from, keys: undefined })}
      />
      <EnvironmentField
        label="To"
        value={pair.toEnvironmentId}
        environments={environments}
        onPick={(to) => onSearch({ to })}
      />
    </div>
  )
}

interface EnvironmentFieldProps {
  readonly label: string
  readonly value: string
  readonly environments: readonly MatrixEnvironment[]
  readonly onPick: (name: string | undefined) => void
}

function EnvironmentField({ label, value, environments, onPick }: EnvironmentFieldProps) {
  const nameOf = (id: string) => environments.find((one) => one.id === id)?.name
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onPick(nameOf(target.value))}
    >
      {value === '' && <option value="">Choose…</option>}
      {environments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
