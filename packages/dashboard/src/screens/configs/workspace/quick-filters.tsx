import { Checkbox } from '../../../components/field.tsx'
import { FilterChip } from '../../../components/filter-chip.tsx'
import { NameFilter } from '../../../components/name-filter.tsx'
import type { MatrixKey } from '../matrix.ts'
import { listNotes } from '../notes/describe-notes.ts'
import type { MatrixSearch } from './search.ts'

interface QuickFiltersProps {
  /** Lists the keys of the screen's tiers. */
  readonly keys: readonly MatrixKey[]
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  /** Says whether the screen shows flags alone. */
  readonly isOfFlags: boolean
}

/** Limits the keys to those that miss a value or differ, to flags in a state, and to an owner and a tag. */
export function QuickFilters({ keys, search, onSearch, isOfFlags }: QuickFiltersProps) {
  const { only, environment, against } = search
  return (
    <>
      {only === 'missing' && (
        <Checkbox
          label={`Only missing${environment === undefined ? '' : ` in ${environment}`}`}
          checked
          onChange={() => onSearch({ only: undefined })}
        />
      )}
      {only === 'drift' && (
        <Checkbox
          label={`Only drift between ${environment} and ${against}`}
          checked
          onChange={() => onSearch({ only: undefined, against: undefined })}
        />
      )}
      <Checkbox
        label="Only drift or missing"
        checked={only === 'uneven'}
        onChange={({ target }) => onSearch({ only: target.checked ? 'uneven' : undefined })}
      />
      <FlagChips keys={keys} search={search} onSearch={onSearch} isOfFlags={isOfFlags} />
      <NoteSelects keys={keys} search={search} onSearch={onSearch} />
    </>
  )
}

interface FlagChip {
  readonly only: NonNullable<MatrixSearch['only']>
  readonly label: string
  readonly title: string
  /** Says whether any flag could match. */
  readonly isOffered: (keys: readonly MatrixKey[]) => boolean
}

const flagChips: readonly FlagChip[] = [
  {
    only: 'settled',
    label: 'Stale',
    title:
      'The same in every environment for more than 30 days: your code may no longer need the flag',
    isOffered: () => true,
  },
  {
    only: 'overdue',
    label: 'Overdue',
    title: 'Past its end date: remove the flag from your code',
    isOffered: (keys) =>
      keys.some(({ tier, expires }) => tier === 'featureFlags' && expires !== undefined),
  },
  {
    only: 'killSwitches',
    label: 'Kill switches',
    title: 'One press turns these flags off in any environment',
    isOffered: (keys) => keys.some(({ killSwitch }) => killSwitch === true),
  },
]

/** Renders the states that flags are limited to. A state that no flag can have is left out, so that the bar stays calm. */
function FlagChips({ keys, search, onSearch, isOfFlags }: QuickFiltersProps) {
  const chips = flagChips.filter(
    ({ only, isOffered }) => search.only === only || (isOfFlags && isOffered(keys)),
  )
  if (chips.length === 0) return null
  return (
    <div role="group" aria-label="State" className="flex flex-wrap gap-1">
      {chips.map(({ only, label, title }) => (
        <FilterChip
          key={only}
          label={label}
          title={title}
          isPressed={search.only === only}
          onPress={() => onSearch({ only: search.only === only ? undefined : only })}
        />
      ))}
    </div>
  )
}

/** Renders the owners and the tags, where any key has one. */
function NoteSelects({ keys, search, onSearch }: Omit<QuickFiltersProps, 'isOfFlags'>) {
  const { owners, tags } = listNotes(keys)
  return (
    <>
      {(owners.length > 0 || search.owner !== undefined) && (
        <NameFilter
          label="Owner"
          all="All owners"
          names={owners}
          value={search.owner}
          onPick={(owner) => onSearch({ owner })}
        />
      )}
      {(tags.length > 0 || search.tag !== undefined) && (
        <NameFilter
          label="Tag"
          all="All tags"
          names={tags}
          value={search.tag}
          onPick={(tag) => onSearch({ tag })}
        />
      )}
    </>
  )
}
