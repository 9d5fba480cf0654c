import type { FormEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { readAuditSearch, type AuditSearch } from './search.ts'

interface AuditFiltersProps {
  readonly search: AuditSearch
  readonly onChange: (search: AuditSearch) => void
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const names = ['action', 'actor', 'from', 'to']
    onChange(readAuditSearch(Object.fromEntries(names.map((name) => [name, field(name).trim()]))))
  }
  return (
    <form
      className="grid items-end gap-3 border-b border-line p-3 sm:grid-cols-[1fr_1fr_auto_auto_auto]"
      onSubmit={submit}
    >
      <TextField
        label="Action"
        name="action"
        placeholder="key.created"
        defaultValue={search.action}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label="Who"
        name="actor"
        placeholder="usr_… or key_…"
        defaultValue={search.actor}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField label="From" name="from" type="date" defaultValue={search.from} />
      <TextField label="To" name="to" type="date" defaultValue={search.to} />
      <Button type="submit">Filter</Button>
    </form>
  )
}
