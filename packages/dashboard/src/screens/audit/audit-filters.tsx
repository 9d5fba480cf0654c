import { useState, type FormEvent } from 'react'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { useOrganization } from '../../session/organization.ts'
import { readAuditFilter, type AuditFilter } from './search.ts'

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}

/** Narrows the audit log. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const names = ['action', 'actor', 'from', 'to']
    onChange(readAuditFilter(Object.fromEntries(names.map((name) => [name, field(name).trim()]))))
  }
  return (
    <form className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto_auto_auto]" onSubmit={submit}>
      <TextField
        label="Action"
        name="action"
        placeholder="key.created"
        defaultValue={filter.action}
        autoComplete="off"
        spellCheck={false}
      />
      <ActorField chosen={filter.actor} />
      <TextField label="From" name="from" type="date" defaultValue={filter.from} />
      <TextField label="To" name="to" type="date" defaultValue={filter.to} />
      <Button type="submit">Filter</Button>
    </form>
  )
}

/**
 * Offers members and keys by name, because the log is searched by id. Former members are not listed; the address
 * still finds them.
 */
function ActorField({ chosen = '' }: { readonly chosen: string | undefined }) {
  const { params } = useOrganization()
  const [actor, setActor] = useState(chosen)
  const request = { params, query: { limit: 100 } }
  const members = useList('GET /organizations/{org_id}/members', request).data ?? []
  const keys = useList('GET /organizations/{org_id}/api-keys', request).data ?? []
  const known = [...members.map(({ userId }) => userId), ...keys.map(({ id }) => id)]
  return (
    <SelectField
      label="Who"
      name="actor"
      value={actor}
      onChange={({ target }) => setActor(target.value)}
    >
      <option value="">Everyone</option>
      {chosen !== '' && !known.includes(chosen) && <option value={chosen}>{chosen}</option>}
      <optgroup label="Members">
        {members.map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="API keys">
        {keys.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
    </SelectField>
  )
}
