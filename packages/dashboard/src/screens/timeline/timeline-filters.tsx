import type { ChangeKind } from '@signalbox/contract/rest'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { EnvironmentFilter } from '../configs/environment-filter.tsx'
import type { Environment } from '../configs/environments.ts'
import { Button } from '../../components/button.tsx'
import { FilterChip } from '../../components/filter-chip.tsx'
import { NameFilter } from '../../components/name-filter.tsx'
import { kindVariants } from './describe-change.ts'
import { readKinds, type TimelineSearch } from './search.ts'
import { useRead } from '../../api/use-api.ts'

interface TimelineFiltersProps {
  readonly environments: readonly Environment[]
  readonly search: TimelineSearch
  readonly onChange: (change: TimelineSearch) => void
}

/** Narrows the timeline by kind, environment, repository, person, key and text. */
export function TimelineFilters({ environments, search, onChange }: TimelineFiltersProps) {
  const { repositories, people } = useFilterOptions()
  const { environment, repository, person, key, text = '' } = search
  return (
    <div className="flex flex-wrap items-center gap-2">
      <KindChips search={search} onChange={onChange} />
      <EnvironmentFilter
        environments={environments}
        value={environment}
        onPick={(id) => onChange({ environment: id })}
      />
      <NameFilter
        label="Repository"
        all="All repositories"
        names={repositories}
        value={repository}
        onPick={(name) => onChange({ repository: name })}
      />
      <NameFilter
        label="Person"
        all="Everyone"
        names={people}
        value={person}
        onPick={(name) => onChange({ person: name })}
      />
      <TextSearch value={text} onChange={(typed) => onChange({ text: typed })} />
      {key !== undefined && (
        <Button icon={X} onClick={() => onChange({ key: undefined })}>
          Key {key}
        </Button>
      )}
    </div>
  )
}

type PartProps = Pick<TimelineFiltersProps, 'search' | 'onChange'>

/** Renders a button for each kind. None pressed means all. */
function KindChips({ search, onChange }: PartProps) {
  const chosen = readKinds(search.kinds)
  const press = (kind: ChangeKind) => {
    const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind]
    onChange({ kinds: next.length === 0 ? undefined : next.join(',') })
  }
  return (
    <div role="group" aria-label="Kinds of changes" className="flex flex-wrap gap-1">
      {Object.entries(kindVariants).map(([name, { plural, icon }]) => {
        const [kind] = readKinds(name)
        return (
          <FilterChip
            key={name}
            label={plural}
            icon={icon}
            isPressed={kind !== undefined && chosen.includes(kind)}
            onPress={() => kind !== undefined && press(kind)}
          />
        )
      })}
    </div>
  )
}

const quietMs = 300

interface TextSearchProps {
  readonly value: string
  readonly onChange: (text: string | undefined) => void
}

/** Renders the search. It applies after a pause in typing, or with Enter. */
function TextSearch({ value, onChange }: TextSearchProps) {
  const [typed, setTyped] = useState(value)
  const [former, setFormer] = useState(value)
  // Takes over a change from outside, such as "Clear" or the back button.
  if (former !== value) {
    setFormer(value)
    setTyped(value)
  }
  const apply = () => onChange(typed.trim() === '' ? undefined : typed.trim())
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(
      () => onChange(typed.trim() === '' ? undefined : typed.trim()),
      quietMs,
    )
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <input
      type="search"
      aria-label="Search changes"
      placeholder="Message, commit, key"
      className="control w-52"
      value={typed}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply()
      }}
    />
  )
}

/** Holds what the filters of the timeline offer. */
interface FilterOptions {
  readonly repositories: readonly string[]
  readonly people: readonly string[]
}

/**
 * Returns the repositories and people to choose from: tracked repositories, members, and whatever the newest hundred changes
 * name. Pipelines and bots are people here.
 */
function useFilterOptions(): FilterOptions {
  const query = { limit: 100, foldTests: 'true' } as const
  const newest = useRead('GET /organizations/{org_id}/changes', { query })
  const members = useRead('GET /organizations/{org_id}/members', { query: { limit: 100 } })
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost')
  const changes = newest.data?.items ?? []
  return {
    repositories: distinct([
      ...(codehost.data?.repositories ?? []).map(({ fullName }) => fullName),
      ...changes.flatMap(({ deployment }) => deployment?.repository ?? []),
    ]),
    people: distinct([
      ...(members.data?.items ?? []).map(({ name }) => name),
      ...changes.flatMap(({ author }) => author?.name ?? []),
    ]),
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted((one, other) => one.localeCompare(other))
}
