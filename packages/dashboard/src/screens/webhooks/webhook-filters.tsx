import { useState } from 'react'
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
  const event = search.event ?? ''
  const [typed, setTyped] = useState({ at: event, text: event })
  // Something else may have changed the address, such as clearing the filters.
  const text = typed.at === event ? typed.text : event
  const find = () => {
    const trimmed = text.trim()
    if (trimmed === event) return
    setTyped({ at: trimmed, text: trimmed })
    set('event', trimmed)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <input
        className="control w-44"
        aria-label="Event"
        placeholder="Event, such as push"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setTyped({ at: event, text: target.value })}
        onBlur={find}
        onKeyDown={({ key }) => {
          if (key === 'Enter') find()
        }}
      />
      <select
        className="control w-auto"
        aria-label="Integration"
        value={search.kind ?? ''}
        onChange={({ target }) => set('kind', target.value)}
      >
        <option value="">Every integration</option>
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
