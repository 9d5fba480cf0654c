import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Loaded } from '../../parts/states.tsx'
import { deploymentLooks } from '../../deployments/states.ts'
import { Age } from '../../parts/time.tsx'
import { useDebounced } from '../../parts/use-debounced.ts'
import { useOrganization } from '../../shell/organization.ts'
import type { Match } from './route-form.ts'

const route = 'POST /organizations/{org_id}/notification-routes/preview'
const shown = 5

/** What a route would have told of, among the last hundred deployments. */
export function RoutePreview({ match }: { readonly match: Match }) {
  const { params } = useOrganization()
  const asked = useDebounced(match)
  const preview = useQuery({
    queryKey: [route, params, asked],
    queryFn: ({ signal }) => call(route, { params, body: { match: asked } }, signal),
    placeholderData: (before) => before,
  })
  return (
    <section aria-label="Preview" className="rounded-md bg-raised p-3">
      <Loaded query={preview} skeleton={<p className="text-muted">Looking at the past …</p>}>
        {({ matched, looked }) => (
          <>
            <p className="font-medium">
              {looked === 0
                ? 'No deployment yet to try it on.'
                : `Matches ${matched.length} of the last ${looked} deployments`}
            </p>
            <ul className="mt-1 flex flex-col gap-1 text-sm">
              {matched.slice(0, shown).map(({ id, hostEnvironment, ref, state, createdAt }) => (
                <li key={id} className="flex justify-between gap-3">
                  <span className="min-w-0 truncate">
                    {hostEnvironment} · {ref} · {deploymentLooks[state].word}
                  </span>
                  <Age at={createdAt} />
                </li>
              ))}
              {matched.length > shown && (
                <li className="text-muted">and {matched.length - shown} more</li>
              )}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}
