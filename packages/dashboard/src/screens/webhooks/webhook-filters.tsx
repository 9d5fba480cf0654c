import {
  kindChoices,
  readWebhooksSearch,
  stateChoices,
  stateNames,
  type WebhooksSearch,
} from './search.ts'

interface WebhookFiltersProps {
  readonly search: WebhooksSearch
  readonly onChange: (search: WebhooksSearch) => void
}

export function WebhookFilters({ search, onChange }: WebhookFiltersProps) {
  const set = (name: string, value: string) =>
    onChange(readWebhooksSearch({ ...search, [name]: value }))
  return (
    <div className="flex flex-wrap gap-2">
      <select
        className="control w-auto"
        aria-label="Provider"
        value={search.kind ?? ''}
        onChange={({ target }) => set('kind', target.value)}
      >
        <option value="">Every provider</option>
        {kindChoices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="control w-auto"
        aria-label="State"
        value={search.state ?? ''}
        onChange={({ target }) => set('state', target.value)}
      >
        <option value="">Every state</option>
        {stateChoices.map((state) => (
          <option key={state} value={state}>
            {stateNames[state]}
          </option>
        ))}
      </select>
    </div>
  )
}
