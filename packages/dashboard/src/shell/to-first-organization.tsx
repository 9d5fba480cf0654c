import { Navigate, useSearch } from '@tanstack/react-router'
import { Loaded } from '../components/states.tsx'
import { BarePage } from './bare-page.tsx'
import { readLastOrganization } from './organization-shell.tsx'
import { useMe } from '../session/session.ts'

/** Redirects from `/` to the organization that was visited last, or to the page of one of its integrations. */
export function ToFirstOrganization() {
  const me = useMe()
  const { integration } = useSearch({ from: '/' })
  if (me.error?.status === 401) return <Navigate to="/login" search={{}} />
  return (
    <Loaded query={me} around={(instead) => <BarePage>{instead}</BarePage>}>
      {({ organizations }) => {
        const last = readLastOrganization()
        const first = organizations.find(({ slug }) => slug === last) ?? organizations[0]
        if (first === undefined) return <Navigate to="/orgs" />
        const params = { org: first.slug }
        return integration === undefined ? (
          <Navigate to="/$org" params={params} />
        ) : (
          <Navigate to="/$org/integrations/$kind" params={{ ...params, kind: integration }} />
        )
      }}
    </Loaded>
  )
}
