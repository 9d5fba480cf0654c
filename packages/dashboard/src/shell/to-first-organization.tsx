import { Navigate } from '@tanstack/react-router'
import { Loaded } from '../components/states.tsx'
import { BarePage } from './bare-page.tsx'
import { readLastOrganization } from './organization-shell.tsx'
import { useMe } from '../session/session.ts'

/** Redirects from `/` to the organization that was visited last. */
export function ToFirstOrganization() {
  const me = useMe()
  if (me.error?.status === 401) return <Navigate to="/login" search={{}} />
  return (
    <Loaded query={me} around={(instead) => <BarePage>{instead}</BarePage>}>
      {({ organizations }) => {
        const last = readLastOrganization()
        const first = organizations.find(({ slug }) => slug === last) ?? organizations[0]
        return first === undefined ? (
          <Navigate to="/orgs" />
        ) : (
          <Navigate to="/$org" params={{ org: first.slug }} />
        )
      }}
    </Loaded>
  )
}
