import { nameOfRef } from '@signalbox/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Loaded } from '../../components/states.tsx'
import { deploymentVariants } from '../deployments/states.ts'
import { Age } from '../../components/time.tsx'
import { useDebounced } from '../../browser/use-debounced.ts'
import { useOrganization } from '../../session/organization.ts'
import type { Match } from './route-form.ts'

const route = 'POST /organizations/{org_id}/notification-routes/preview'
const previewCount = 5

/** Shows which of the last hundred deployments a route would have announced; nothing while no environment is selected. */
export function RoutePreview({ match }: { readonly match: Match }) {
  const { params } = useOrganization()
  const settled = useDebounced(match)
  const preview = useQuery({
    queryKey: [route, params, settled],
    queryFn: ({ signal }) => call(route, { params, body: { match: settled } }, signal),
    placeholderData: (before) => before,
    enabled: isComplete(settled),
  })
  if (!isComplete(match)) return null
  return (
    <section aria-label="Preview" className="rounded-md bg-raised p-3">
      <Loaded query={preview} skeleton={<p className="text-muted">Loading recent deployments …</p>}>
        {({ matched, looked }) => (
          <>
            <p className="font-medium">
              {looked === 0
                ? 'No deployments yet.'
                : `Matches ${matched.length} of the last ${looked} deployments`}
            </p>
            <ul className="mt-1 flex flex-col gap-1 text-sm">
              {matched
                .slice(0, previewCount)
                .map(({ id, repository, hostEnvironment, ref, state, createdAt }) => (
                  <li key={id} className="flex justify-between gap-3">
                    <span className="min-w-0 truncate">
                      {repository} · {hostEnvironment} · {nameOfRef(ref)} ·{' '}
                      {deploymentVariants[state].word}
                    </span>
                    <Age at={createdAt} />
                  </li>
                ))}
              {matched.length > previewCount && (
                <li className="text-muted">and {matched.length - previewCount} more</li>
              )}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}

function isComplete({ environmentIds }: Match): boolean {
  return environmentIds?.length !== 0
}
