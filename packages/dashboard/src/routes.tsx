import { pages } from '@signalbox/contract'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type AnyRoute,
  type RouteComponent,
} from '@tanstack/react-router'
import { NotFound, NotFoundPage } from './shell/not-found.tsx'
import { OrganizationShell } from './shell/organization-shell.tsx'
import { PersonShell } from './shell/person-shell.tsx'
import { RenderError } from './shell/render-error.tsx'
import { ToFirstOrganization } from './shell/to-first-organization.tsx'
import { readSearch, text, yes } from './screens/address-values.ts'
import { onlyKnown } from './screens/only-known.ts'
import { readAuditSearch } from './screens/audit/search.ts'
import { readOutgoingSearch } from './screens/outgoing/search.ts'
import { readWebhooksSearch } from './screens/webhooks/search.ts'
import { readAssistantSearch } from './screens/assistant/search.ts'
import { readDeploymentSearch } from './screens/deployments/detail/search.ts'
import { readDeploymentsSearch } from './screens/deployments/list/search.ts'
import { readOverviewSearch } from './screens/overview/search.ts'
import { readMatrixSearch } from './screens/configs/workspace/search.ts'
import { readEnvironmentsSearch } from './screens/environments/search.ts'
import { readDecisionSearch, readGatesSearch } from './screens/gates/search.ts'
import { readHistorySearch } from './screens/history/search.ts'
import { readRequestSearch, readRequestsSearch } from './screens/requests/search.ts'
import { readSchemasSearch } from './screens/schemas/search.ts'
import { readSignalsSearch } from './screens/signals/search.ts'
import { readSegmentsSearch } from './screens/segments/search.ts'
import { readIntegrationSearch, readIntegrationsSearch } from './screens/integrations/search.ts'
import { readKeysSearch } from './screens/keys/search.ts'
import { readMembersSearch } from './screens/members/search.ts'
import { readSignInSearch } from './screens/sign-in/search.ts'
import { readTargetsSearch } from './screens/targets/search.ts'
import { readTimelineSearch } from './screens/timeline/search.ts'

type Search = Record<string, unknown>
/** Loads a module whose only export is a screen. */
type Load = () => Promise<Readonly<Record<string, RouteComponent>>>

/** Makes the routes of screens: by the page's address, with what is read of it. A screen's code is loaded when it is opened. */
const screensOf =
  <const Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Known extends object>(
    { path }: { readonly path: Path },
    load: Load,
    read: (search: Search) => Known,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch: onlyKnown(read),
      component: lazyRouteComponent(async () => ({ default: Object.values(await load())[0] })),
    })

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })
/** Holds the pages of a person, which belong to no organization. */
const person = createRoute({ getParentRoute: () => root, id: 'person', component: PersonShell })
const organization = createRoute({
  getParentRoute: () => root,
  path: '/$org',
  component: OrganizationShell,
  notFoundComponent: NotFound,
})

const readNothing = readSearch({})
/** Reads whether the dialog that creates an entry is open. */
const readNew = readSearch({ new: yes })
/** Reads the kind of an integration whose page is meant. The server's own pages know no organization. */
const readHome = readSearch({
  integration: (value) => (/^[a-z]{1,30}$/.test(text(value) ?? '') ? text(value) : undefined),
})

const ofNobody = screensOf(root)
const ofPerson = screensOf(person)
const screen = screensOf(organization)

// A list inside `addChildren` would lose the types of its routes.
const screensOfNobody = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: onlyKnown(readHome),
    component: ToFirstOrganization,
  }),
  ofNobody(pages.setup, () => import('./screens/setup/setup-screen.tsx'), readNothing),
  ofNobody(pages.signIn, () => import('./screens/sign-in/sign-in-screen.tsx'), readSignInSearch),
  ofNobody(
    pages.invitation,
    () => import('./screens/invitation/invitation-screen.tsx'),
    readNothing,
  ),
] as const
const screensOfPerson = [
  ofPerson(
    pages.organizations,
    () => import('./screens/organizations/organizations-screen.tsx'),
    readNew,
  ),
  ofPerson(pages.account, () => import('./screens/account/account-screen.tsx'), readNew),
  ofPerson(
    pages.device,
    () => import('./screens/device/device-screen.tsx'),
    readSearch({ user_code: text }),
  ),
  ofPerson(
    pages.assistant,
    () => import('./screens/assistant/assistant-screen.tsx'),
    readAssistantSearch,
  ),
] as const
const screens = [
  screen(
    pages.overview,
    () => import('./screens/overview/overview-screen.tsx'),
    readOverviewSearch,
  ),
  screen(
    pages.deployments,
    () => import('./screens/deployments/list/deployments-screen.tsx'),
    readDeploymentsSearch,
  ),
  screen(
    pages.deployment,
    () => import('./screens/deployments/detail/deployment-screen.tsx'),
    readDeploymentSearch,
  ),
  screen(pages.check, () => import('./screens/deployments/checks/check-screen.tsx'), readNothing),
  screen(pages.gates, () => import('./screens/gates/gates-screen.tsx'), readGatesSearch),
  screen(
    pages.gateDecision,
    () => import('./screens/gates/decision-screen.tsx'),
    readDecisionSearch,
  ),
  screen(
    pages.environments,
    () => import('./screens/environments/environments-screen.tsx'),
    readEnvironmentsSearch,
  ),
  screen(
    pages.timeline,
    () => import('./screens/timeline/timeline-screen.tsx'),
    readTimelineSearch,
  ),
  screen(pages.config, () => import('./screens/configs/config-screen.tsx'), readMatrixSearch),
  screen(pages.flags, () => import('./screens/configs/flags-screen.tsx'), readMatrixSearch),
  screen(
    pages.segments,
    () => import('./screens/segments/segments-screen.tsx'),
    readSegmentsSearch,
  ),
  screen(pages.schemas, () => import('./screens/schemas/schemas-screen.tsx'), readSchemasSearch),
  screen(pages.import, () => import('./screens/imports/import-screen.tsx'), readNothing),
  screen(pages.history, () => import('./screens/history/history-screen.tsx'), readHistorySearch),
  screen(
    pages.requests,
    () => import('./screens/requests/requests-screen.tsx'),
    readRequestsSearch,
  ),
  screen(pages.request, () => import('./screens/requests/request-screen.tsx'), readRequestSearch),
  screen(
    pages.integrations,
    () => import('./screens/integrations/integrations-screen.tsx'),
    readIntegrationsSearch,
  ),
  screen(
    pages.integration,
    () => import('./screens/integrations/integration-screen.tsx'),
    readIntegrationSearch,
  ),
  screen(
    pages.notifications,
    () => import('./screens/notifications/notifications-screen.tsx'),
    readSearch({ route: text }),
  ),
  screen(
    pages.webhooks,
    () => import('./screens/webhooks/webhooks-screen.tsx'),
    readWebhooksSearch,
  ),
  screen(
    pages.outgoing,
    () => import('./screens/outgoing/outgoing-screen.tsx'),
    readOutgoingSearch,
  ),
  screen(pages.signals, () => import('./screens/signals/signals-screen.tsx'), readSignalsSearch),
  screen(pages.targets, () => import('./screens/targets/targets-screen.tsx'), readTargetsSearch),
  screen(pages.keys, () => import('./screens/keys/keys-screen.tsx'), readKeysSearch),
  screen(pages.members, () => import('./screens/members/members-screen.tsx'), readMembersSearch),
  screen(pages.audit, () => import('./screens/audit/audit-screen.tsx'), readAuditSearch),
  screen(pages.settings, () => import('./screens/settings/settings-screen.tsx'), readNothing),
] as const

/** Maps each address to its screen. */
const routeTree = root.addChildren([
  ...screensOfNobody,
  person.addChildren(screensOfPerson),
  organization.addChildren(screens),
])

let shownPath = ''

/** Returns whether a navigation leads to another screen. Opening a dialog or a filter keeps the scroll position. */
function isOtherScreen({ location }: { readonly location: { readonly pathname: string } }) {
  const before = shownPath
  shownPath = location.pathname
  if (shownPath !== before) return true
  // The router stores the scroll position for each address when the page scrolls. The address has changed without
  // scrolling, so an event makes the router store the position for the new one.
  document.dispatchEvent(new Event('scroll'))
  return false
}

/** Holds the router of the dashboard, with every screen by its address. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: RenderError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: isOtherScreen,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
