import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/use-api.ts'
import { deploymentStates } from '@signalbox/contract'
import { deploymentVariants } from '../states.ts'
import { Button } from '../../../components/button.tsx'
import { Checkbox, SelectField } from '../../../components/field.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { isNarrowed, type Filter } from './filter.ts'
import { DayFilter, TextFilter } from './filter-fields.tsx'

interface FilterBarProps {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

/** Filters the list. On a phone the fields are behind a button, which shows how many are in use. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const used = Object.values(filter).filter((value) => value !== undefined).length
  return (
    <section aria-label="Filters" className="flex flex-col gap-2">
      <div className="sm:hidden">
        <Button icon={ListFilter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {used === 0 ? 'Filters' : `Filters (${used})`}
        </Button>
      </div>
      <div className={`flex-wrap items-end gap-2 sm:flex ${isOpen ? 'flex' : 'hidden'}`}>
        <FilterFields filter={filter} onChange={onChange} />
      </div>
    </section>
  )
}

/** Describes a change of a filter. `undefined` removes a member. */
type FilterChange = { readonly [Name in keyof Filter]: Filter[Name] | undefined }

function FilterFields({ filter, onChange }: FilterBarProps) {
  const set = (change: FilterChange) => onChange(withoutEmpty({ ...filter, ...change }))
  return (
    <>
      <EnvironmentFilter filter={filter} onChange={set} />
      <StateFilter filter={filter} onChange={set} />
      <TextFilter
        label="Branch"
        value={filter.branch ?? ''}
        onChange={(branch) => set({ branch })}
      />
      <TextFilter
        label="Issue key"
        placeholder="ABC-12"
        value={filter.issue ?? ''}
        onChange={(issue) => set({ issue })}
      />
      <DayFilter label="From" value={filter.from} onChange={(from) => set({ from })} />
      <DayFilter label="To" value={filter.to} onChange={(to) => set({ to })} />
      <div className="flex min-h-8 items-center gap-3">
        <Checkbox
          label={
            <span title="Replaced before they went live, or of an environment that is gone">
              Show inactive
            </span>
          }
          checked={filter.inactive === true}
          onChange={({ target }) => set({ inactive: target.checked ? true : undefined })}
        />
        {isNarrowed(filter) && (
          <Button variant="quiet" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
    </>
  )
}

interface SelectFilterProps {
  readonly filter: Filter
  readonly onChange: (change: FilterChange) => void
}

function EnvironmentFilter({ filter, onChange }: SelectFilterProps) {
  const { params } = useOrganization()
  const environments = useRead('GET /organizations/{org_id}/environments', {
    params,
    query: { limit: 100 },
  })
  return (
    <div className="w-40 max-sm:w-full">
      <SelectField
        label="Environment"
        value={filter.environment ?? ''}
        onChange={({ target }) => onChange({ environment: target.value })}
      >
        <option value="">All</option>
        {environments.data?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

function StateFilter({ filter, onChange }: SelectFilterProps) {
  return (
    <div className="w-36 max-sm:w-full">
      <SelectField
        label="State"
        value={filter.state ?? ''}
        onChange={({ target }) =>
          onChange({ state: deploymentStates.find((state) => state === target.value) })
        }
      >
        <option value="">All</option>
        {deploymentStates.map((state) => (
          <option key={state} value={state}>
            {deploymentVariants[state].word}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

/** Returns a filter without its empty members. */
function withoutEmpty(filter: FilterChange): Filter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  )
}
