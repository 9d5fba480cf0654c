import { useNavigate, useSearch } from '@tanstack/react-router'
import { ListFilter, Play } from 'lucide-react'
import { deploymentStates } from '@signalbox/contract'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Page } from '../../../components/page.tsx'
import { useLack } from '../../../session/use-capability.ts'
import { useOrganization } from '../../../session/organization.ts'
import { useRead } from '../../../api/use-api.ts'
import { Checkbox } from '../../../components/field.tsx'
import { Segments } from '../../../components/tabs.tsx'
import { ChecksList } from '../checks/checks-list.tsx'
import { RunWorkflow } from '../workflows/run-workflow.tsx'
import { SyncButton } from '../sync/sync-button.tsx'
import { SyncProgress } from '../sync/sync-progress.tsx'
import { useSync } from '../sync/use-sync.ts'
import { deploymentVariants } from '../states.ts'
import { DeploymentList } from './deployment-list.tsx'
import { isNarrowed, toFilter, type Filter } from './filter.ts'
import type { DeploymentsSearch } from './search.ts'
import { ChoiceFilter, DayFilter, TextFilter } from './filter-fields.tsx'
import { findPeriod, periods, toDays, type Period } from './periods.ts'

const views = [
  { value: 'deployments', label: 'Deployments' },
  { value: 'checks', label: 'Commit checks' },
] as const

interface ViewChoiceProps {
  readonly view: DeploymentsSearch['view']
  readonly onView: (view: DeploymentsSearch['view']) => void
}

function ViewChoice({ view, onView }: ViewChoiceProps) {
  return (
    <Segments
      label="View"
      options={views}
      value={view ?? 'deployments'}
      onChange={(chosen) => onView(chosen === 'checks' ? chosen : undefined)}
    />
  )
}

/** Shows every deployment by day, or the checks of commits. */
export function DeploymentsScreen() {
  // The router also passes on values that the reader left out.
  const search = useSearch({ from: '/$org/deployments' })
  const navigate = useNavigate({ from: '/$org/deployments' })
  const { can } = useOrganization()
  const lack = useLack('codehost', 'startWorkflows')
  const change = (changes: Pick<DeploymentsSearch, 'sync' | 'run'>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true })
  const sync = useSync({
    syncId: search.sync,
    onStarted: (syncId) => change({ sync: syncId }),
  })
  const filter = toFilter(search)
  const setFilter = (next: Filter) =>
    void navigate({
      search: ({ sync: current, run }) => ({ ...next, sync: current, run }),
      replace: true,
    })
  return (
    <Page
      title="Deployments"
      beside={
        <ViewChoice
          view={search.view}
          onView={(view) => void navigate({ search: { view }, replace: true })}
        />
      }
      actions={
        <>
          <SyncButton control={sync} />
          {can('developer') && lack === undefined && (
            <Button icon={Play} onClick={() => change({ run: true })}>
              Run workflow
            </Button>
          )}
        </>
      }
    >
      <SyncProgress control={sync} onClose={() => change({ sync: undefined })} />
      {search.view === 'checks' ? (
        <ChecksList />
      ) : (
        <>
          <FilterBar filter={filter} onChange={setFilter} />
          <DeploymentList
            key={JSON.stringify(filter)}
            filter={filter}
            sync={sync}
            onClear={() => setFilter({})}
          />
        </>
      )}
      {search.run === true && can('developer') && (
        <RunWorkflow onClose={() => change({ run: undefined })} />
      )}
    </Page>
  )
}

interface FilterBarProps {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

/** Filters the list. On a phone the filters are behind a button, which shows how many are in use. */
function FilterBar({ filter, onChange }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const used = Object.values(filter).filter((value) => value !== undefined).length
  return (
    <section aria-label="Filters" className="-mt-1 flex flex-col gap-2">
      <div className="sm:hidden">
        <Button icon={ListFilter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {used === 0 ? 'Filters' : `Filters (${used})`}
        </Button>
      </div>
      <div className={`flex-wrap items-center gap-1.5 sm:flex ${isOpen ? 'flex' : 'hidden'}`}>
        <FilterFields filter={filter} onChange={onChange} />
      </div>
    </section>
  )
}

/** Describes a change of a filter. `undefined` removes a member. */
type FilterChange = { readonly [Name in keyof Filter]: Filter[Name] | undefined }

const states = deploymentStates.map((state) => ({
  value: state,
  label: deploymentVariants[state].word,
}))

function FilterFields({ filter, onChange }: FilterBarProps) {
  const set = (change: FilterChange) => onChange(withoutEmpty({ ...filter, ...change }))
  const { environment = '', state = '', branch = '', issue = '' } = filter
  return (
    <>
      <RepositoryFilter filter={filter} onChange={set} />
      <ChoiceFilter
        label="Environment"
        value={environment}
        options={useEnvironmentOptions()}
        onChange={(value) => set({ environment: value })}
      />
      <ChoiceFilter
        label="State"
        value={state}
        options={states}
        onChange={(value) => set({ state: deploymentStates.find((one) => one === value) })}
      />
      <OutcomeFilter filter={filter} onChange={set} />
      <TextFilter label="Branch" value={branch} onChange={(value) => set({ branch: value })} />
      <TextFilter
        label="Issue key"
        placeholder="ABC-12"
        value={issue}
        onChange={(value) => set({ issue: value })}
      />
      <PeriodFilter filter={filter} onChange={set} />
      <div className="flex min-h-7 items-center gap-3 text-sm [&_input]:mt-0 [&_label]:items-center">
        <Checkbox
          label={
            <span title="Also shows deployments that a newer one replaced before they went live, and deployments to deleted environments">
              Include inactive
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

function useEnvironmentOptions() {
  const { data } = useRead('GET /organizations/{org_id}/environments', { query: { limit: 100 } })
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
}

interface PartProps {
  readonly filter: Filter
  readonly onChange: (change: FilterChange) => void
}

/** Filters by repository. With one repository there is nothing to choose. */
function RepositoryFilter({ filter: { repository = '' }, onChange }: PartProps) {
  const { data } = useRead('GET /organizations/{org_id}/overview')
  const options = (data?.repositories ?? []).map((one) => ({
    value: one.repository,
    label: one.repository,
  }))
  if (options.length < 2 && repository === '') return null
  return (
    <ChoiceFilter
      label="Repository"
      value={repository}
      options={options}
      onChange={(value) => onChange({ repository: value })}
    />
  )
}

const outcomes = [
  { value: 'live', label: 'Went live' },
  { value: 'failed', label: 'Failed or undone' },
] as const

/** Filters by what the delivery figures count. Only their links set it, so that the bar stays short. */
function OutcomeFilter({ filter: { outcome }, onChange }: PartProps) {
  if (outcome === undefined) return null
  return (
    <ChoiceFilter
      label="Outcome"
      value={outcome}
      options={outcomes}
      onChange={(value) =>
        onChange({ outcome: outcomes.find((one) => one.value === value)?.value })
      }
    />
  )
}

/** Filters by a period that ends today, or by two days of a person's choice. */
function PeriodFilter({ filter: { from, to }, onChange }: PartProps) {
  const [isCustom, setCustom] = useState(false)
  const period = findPeriod({ from, to }, new Date())
  const isOpen = isCustom || period === 'custom'
  const choose = (value: string) => {
    const chosen = periods.find((one): one is Period => one.value === value)
    setCustom(value === 'custom')
    if (value === 'custom') return
    onChange(chosen === undefined ? { from: undefined, to: undefined } : toDays(chosen, new Date()))
  }
  return (
    <>
      <ChoiceFilter
        label="Date"
        all="Any"
        value={isOpen ? 'custom' : (period ?? '')}
        options={[...periods, { value: 'custom', label: 'From … to' }]}
        onChange={choose}
      />
      {isOpen && (
        <>
          <DayFilter label="From" value={from} onChange={(value) => onChange({ from: value })} />
          <DayFilter label="To" value={to} onChange={(value) => onChange({ to: value })} />
        </>
      )}
    </>
  )
}

/** Returns a filter without its empty members. */
function withoutEmpty(filter: FilterChange): Filter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  )
}
