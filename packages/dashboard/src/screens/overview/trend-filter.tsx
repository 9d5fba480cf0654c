import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { ChoiceFilter } from '../deployments/list/filter-fields.tsx'

/** Describes the deployments that the charts are about. */
export interface TrendFilter {
  readonly environment: string | undefined
  readonly repository: string | undefined
}

/** Returns the filter of the charts, as the address holds it. */
export function useTrendFilter(): TrendFilter {
  const { environment, repository } = useSearch({ from: '/$org/' })
  return { environment, repository }
}

/** Returns the address of the deployments of a day that a chart counts. */
export function toDaySearch({ environment, repository }: TrendFilter, date: string | undefined) {
  return { environment, repository, from: date, to: date }
}

/** Chooses the environment and the repository of the charts. */
export function TrendFilterBar() {
  const { data } = useRead('GET /organizations/{org_id}/overview')
  const { environment = '', repository = '' } = useTrendFilter()
  const navigate = useNavigate({ from: '/$org/' })
  const choose = (change: { readonly environment?: string; readonly repository?: string }) => {
    const chosen = { environment, repository, ...change }
    void navigate({
      search: (now) => ({
        ...now,
        environment: chosen.environment === '' ? undefined : chosen.environment,
        repository: chosen.repository === '' ? undefined : chosen.repository,
      }),
      replace: true,
      resetScroll: false,
    })
  }
  const environments = (data?.environments ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  const repositories = (data?.repositories ?? []).map((one) => ({
    value: one.repository,
    label: one.repository,
  }))
  if (environments.length < 2 && repositories.length < 2) return null
  return (
    <div role="group" aria-label="Filter the charts" className="flex flex-wrap gap-1.5">
      <ChoiceFilter
        label="Environment"
        value={environment}
        options={environments}
        onChange={(value) => choose({ environment: value })}
      />
      {(repositories.length > 1 || repository !== '') && (
        <ChoiceFilter
          label="Repository"
          value={repository}
          options={repositories}
          onChange={(value) => choose({ repository: value })}
        />
      )}
    </div>
  )
}
