import { useEffect, useRef, useState } from 'react'
import { useList } from '../../api/use-api.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { useDebounced } from '../../browser/use-debounced.ts'
import { actionGroups } from './describe-event.ts'
import { readAuditFilter, type AuditFilter } from './search.ts'

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}

/** Narrows the audit log. Each filter applies at once. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const set = (name: keyof AuditFilter, value: string) =>
    onChange(readAuditFilter({ ...filter, [name]: value }))
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_auto_auto]">
      <SearchField text={filter.query ?? ''} onChange={(text) => set('query', text)} />
      <ActionField chosen={filter.action} onChoose={(action) => set('action', action)} />
      <ActorField chosen={filter.actor} onChoose={(actor) => set('actor', actor)} />
      <TextField
        label="From"
        type="date"
        value={filter.from ?? ''}
        onChange={({ target }) => set('from', target.value)}
      />
      <TextField
        label="To"
        type="date"
        value={filter.to ?? ''}
        onChange={({ target }) => set('to', target.value)}
      />
    </div>
  )
}

interface SearchFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

/** Searches once the person pauses. A text that comes from outside, as by the button that clears, replaces what was typed. */
function SearchField({ text, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(text)
  const settled = useDebounced(typed)
  const sent = useRef(text)
  useEffect(() => {
    if (settled === sent.current) return
    sent.current = settled
    onChange(settled)
    // oxlint-disable-next-line react/exhaustive-deps -- a settled text is sent once, whatever the filters are by then
  }, [settled])
  useEffect(() => {
    if (text === sent.current.trim()) return
    sent.current = text
    setTyped(text)
  }, [text])
  return (
    <TextField
      label="Search"
      type="search"
      placeholder="checkoutApiToken"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      spellCheck={false}
    />
  )
}

interface ChoiceProps {
  readonly chosen: string | undefined
  readonly onChoose: (chosen: string) => void
}

/** Offers the actions by name. One that an address names is offered even where none is known by this name. */
function ActionField({ chosen = '', onChoose }: ChoiceProps) {
  const known = actionGroups.flatMap(({ actions }) => actions.map(({ action }) => action))
  return (
    <SelectField label="Action" value={chosen} onChange={({ target }) => onChoose(target.value)}>
      <option value="">All actions</option>
      {chosen !== '' && !known.includes(chosen) && <option value={chosen}>{chosen}</option>}
      {actionGroups.map(({ label, actions }) => (
        <optgroup key={label} label={label}>
          {actions.map((one) => (
            <option key={one.action} value={one.action}>
              {one.label}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

/**
 * Offers members and keys by name, because the log is searched by id. Former members are not listed; the address
 * still finds them.
 */
function ActorField({ chosen = '', onChoose }: ChoiceProps) {
  const request = { query: { limit: 100 } }
  const members = useList('GET /organizations/{org_id}/members', request).data ?? []
  const keys = useList('GET /organizations/{org_id}/api-keys', request).data ?? []
  const known = [...members.map(({ userId }) => userId), ...keys.map(({ id }) => id)]
  return (
    <SelectField label="Who" value={chosen} onChange={({ target }) => onChoose(target.value)}>
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
