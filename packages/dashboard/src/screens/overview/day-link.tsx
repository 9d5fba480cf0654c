import { Link } from '@tanstack/react-router'
import { useOrganization } from '../../session/organization.ts'
import { toDay } from './summaries.ts'
import { toDaySearch, useTrendFilter } from './trend-filter.tsx'

/** Links to the deployments of a day that a chart counts. */
export function DayLink({ date }: { readonly date: string }) {
  const { slug } = useOrganization()
  return (
    <Link
      to="/$org/deployments"
      params={{ org: slug }}
      search={toDaySearch(useTrendFilter(), date)}
    >
      {toDay(date)}
    </Link>
  )
}
