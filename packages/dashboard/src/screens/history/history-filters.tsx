import { EnvironmentFilter } from '../configs/environment-filter.tsx'
import type { Environment } from '../configs/environments.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import type { HistorySearch } from './search.ts'

interface HistoryFiltersProps {
  readonly schema: ConfigSchema
  readonly environments: readonly Environment[]
  readonly search: HistorySearch
  readonly onSearch: (change: HistorySearch) => void
}

/** Filters the history by environment and by key. */
export function HistoryFilters({ schema, environments, search, onSearch }: HistoryFiltersProps) {
  const keys = Object.keys(schema.schema)
  // A key that the schema has lost still has a history.
  const all = search.key === undefined || keys.includes(search.key) ? keys : [search.key, ...keys]
  return (
    <div className="flex flex-wrap gap-2">
      <EnvironmentFilter
        environments={environments}
        value={search.environment}
        onPick={(environment) => onSearch({ environment })}
      />
      <select
        aria-label="Key"
        className="control w-auto max-w-72"
        value={search.key ?? ''}
        onChange={({ target }) => onSearch({ key: target.value === '' ? undefined : target.value })}
      >
        <option value="">All keys</option>
        {all.map((key) => (
          <option key={key}>{key}</option>
        ))}
      </select>
    </div>
  )
}
