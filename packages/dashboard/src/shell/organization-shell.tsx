import { useQueryClient } from '@tanstack/react-query'
import { Navigate, Outlet, useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OrganizationIdContext } from '../api/use-api.ts'
import { followOrganization } from '../live/follow-organization.ts'
import { Loaded, Skeleton } from '../components/states.tsx'
import { RequestApproval } from './approval/request-approval.tsx'
import { BarePage } from './bare-page.tsx'
import { KeptOut } from './kept-out.tsx'
import { Layout } from './layout.tsx'
import { NotFoundPage } from './not-found.tsx'
import { keepFragment, takeFragment } from '../session/kept-fragment.ts'
import { OrganizationContext } from '../session/organization.ts'
import { useMe, type Membership } from '../session/session.ts'

const lastKey = 'last-organization'

/** Maps the slug of each organization that this page has shown to its id, to find one that is renamed while the page is open. */
const shownIds = new Map<string, string>()

/** Returns the slug of the organization that was visited last. */
export function readLastOrganization(): string | null {
  return localStorage.getItem(lastKey)
}

/** Renders a screen of an organization in its layout, and keeps it up to date. */
export function OrganizationShell() {
  const { org } = useParams({ from: '/$org' })
  const me = useMe()
  useKeptFragment(me.data !== undefined)
  if (me.error?.status === 401) {
    const returnTo = `${location.pathname}${location.search}`
    return <ToSignIn search={{ returnTo, ...(me.data && { ended: true }) }} />
  }
  return (
    <Loaded
      query={me}
      skeleton={<Skeleton lines={8} />}
      around={(instead) => <BarePage>{instead}</BarePage>}
    >
      {({ organizations, lastEventId }) => {
        const organization = organizations.find(({ id, slug }) => slug === org || id === org)
        if (organization === undefined) {
          const renamed = organizations.find(({ id }) => id === shownIds.get(org))
          return renamed === undefined ? (
            <NotFoundPage />
          ) : (
            <ToNewSlug from={org} to={renamed.slug} />
          )
        }
        const { rejection } = organization
        if (rejection) return <KeptOut organization={organization} rejection={rejection} />
        // Keyed by the id, so that no list or draft of one organization is shown in another.
        return (
          <LiveOrganization
            key={organization.id}
            organization={organization}
            lastEventId={lastEventId}
          />
        )
      }}
    </Loaded>
  )
}

interface ToSignInProps {
  readonly search: { readonly returnTo: string; readonly ended?: true }
}

/** Leads to the sign-in, and keeps the fragment of the page, such as an assistant's proposal, for the way back. */
function ToSignIn({ search }: ToSignInProps) {
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    keepFragment(location)
    setKept(true)
  }, [])
  return isKept && <Navigate to="/login" search={search} />
}

/** Puts the fragment that was kept for a page back into its address, once somebody is signed in. */
function useKeptFragment(isSignedIn: boolean): void {
  const { history } = useRouter()
  useEffect(() => {
    const { pathname, search } = history.location
    const fragment = isSignedIn ? takeFragment(pathname) : ''
    if (fragment !== '') history.replace(`${pathname}${search}${fragment}`)
  }, [history, isSignedIn])
}

/** Opens the same page at the new slug, whoever renamed the organization. */
function ToNewSlug({ from, to }: Readonly<{ from: string; to: string }>) {
  const { history } = useRouter()
  useEffect(() => {
    const { pathname, search, hash } = history.location
    history.replace(`/${to}${pathname.slice(`/${from}`.length)}${search}${hash}`)
  }, [from, to, history])
  return null
}

interface LiveOrganizationProps {
  readonly organization: Membership
  readonly lastEventId: string | null
}

function LiveOrganization({ organization, lastEventId }: LiveOrganizationProps) {
  const client = useQueryClient()
  // Holds the position from before the first read of the organization: a later one would miss changes.
  const [position] = useState(lastEventId)
  useEffect(() => {
    localStorage.setItem(lastKey, organization.slug)
    shownIds.set(organization.slug, organization.id)
    return followOrganization(organization.id, client, position)
  }, [organization.id, organization.slug, client, position])
  return (
    <OrganizationContext value={organization}>
      <OrganizationIdContext value={organization.id}>
        <Layout>
          <Outlet />
        </Layout>
        <RequestApproval />
      </OrganizationIdContext>
    </OrganizationContext>
  )
}
