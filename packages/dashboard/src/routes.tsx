import { pages } from '@signalbox/contract'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { NotFound, NotFoundPage } from './shell/not-found.tsx'
import { OrganizationShell } from './shell/organization-shell.tsx'
import { PersonShell } from './shell/person-shell.tsx'
import { RenderError } from './shell/render-error.tsx'
import { readHomeSearch } from './shell/home-search.ts'
import { ToFirstOrganization } from './shell/to-first-organization.tsx'
import { onlyKnown } from './screens/only-known.ts'
import { readAuditSearch } from './screens/audit/search.ts'
import { readOutgoingSearch } from './screens/outgoing/search.ts'
import { readWebhooksSearch } from './screens/webhooks/search.ts'
import { readAssistantSearch } from './screens/assistant/search.ts'
import { readDeviceSearch } from './screens/device/search.ts'
import { readDeploymentSearch } from './screens/deployments/detail/search.ts'
import { readDeploymentsSearch } from './screens/deployments/list/search.ts'
import { readOverviewSearch } from './screens/overview/search.ts'
import { readMatrixSearch } from './screens/configs/workspace/search.ts'
import { readEnvironmentsSearch } from './screens/environments/search.ts'
import { readHistorySearch } from './screens/history/search.ts'
import { readSchemasSearch } from './screens/schemas/search.ts'
import { readSegmentsSearch } from './screens/segments/search.ts'
import { readNewSearch } from './screens/new-search.ts'
import { readIntegrationSearch, readIntegrationsSearch } from './screens/integrations/search.ts'
import { readKeysSearch } from './screens/keys/search.ts'
import { readMembersSearch } from './screens/members/search.ts'
import { readNotificationsSearch } from './screens/notifications/search.ts'
import { readSignInSearch } from './screens/sign-in/search.ts'
import { readTargetsSearch } from './screens/targets/search.ts'
import { readTimelineSearch } from './screens/timeline/search.ts'

/** Maps each address to its screen. A screen's code is loaded when its address is opened. */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: onlyKnown(readHomeSearch),
  component: ToFirstOrganization,
})
const setup = createRoute({
  getParentRoute: () => root,
  path: pages.setup.path,
  component: lazyRouteComponent(() => import('./screens/setup/setup-screen.tsx'), 'SetupScreen'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: pages.signIn.path,
  validateSearch: onlyKnown(readSignInSearch),
  component: lazyRouteComponent(
    () => import('./screens/sign-in/sign-in-screen.tsx'),
    'SignInScreen',
  ),
})

/** Holds the pages of a person, which belong to no organization. */
const person = createRoute({ getParentRoute: () => root, id: 'person', component: PersonShell })
const organizations = createRoute({
  getParentRoute: () => person,
  path: pages.organizations.path,
  validateSearch: onlyKnown(readNewSearch),
  component: lazyRouteComponent(
    () => import('./screens/organizations/organizations-screen.tsx'),
    'OrganizationsScreen',
  ),
})
const account = createRoute({
  getParentRoute: () => person,
  path: pages.account.path,
  validateSearch: onlyKnown(readNewSearch),
  component: lazyRouteComponent(
    () => import('./screens/account/account-screen.tsx'),
    'AccountScreen',
  ),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: pages.invitation.path,
  component: lazyRouteComponent(
    () => import('./screens/invitation/invitation-screen.tsx'),
    'InvitationScreen',
  ),
})
const device = createRoute({
  getParentRoute: () => person,
  path: pages.device.path,
  validateSearch: onlyKnown(readDeviceSearch),
  component: lazyRouteComponent(() => import('./screens/device/device-screen.tsx'), 'DeviceScreen'),
})
const assistant = createRoute({
  getParentRoute: () => person,
  path: pages.assistant.path,
  validateSearch: onlyKnown(readAssistantSearch),
  component: lazyRouteComponent(
    () => import('./screens/assistant/assistant-screen.tsx'),
    'AssistantScreen',
  ),
})

const organization = createRoute({
  getParentRoute: () => root,
  path: '/$org',
  component: OrganizationShell,
  notFoundComponent: NotFound,
})
const overview = createRoute({
  getParentRoute: () => organization,
  path: pages.overview.path,
  validateSearch: onlyKnown(readOverviewSearch),
  component: lazyRouteComponent(
    () => import('./screens/overview/overview-screen.tsx'),
    'OverviewScreen',
  ),
})
const deployments = createRoute({
  getParentRoute: () => organization,
  path: pages.deployments.path,
  validateSearch: onlyKnown(readDeploymentsSearch),
  component: lazyRouteComponent(
    () => import('./screens/deployments/list/deployments-screen.tsx'),
    'DeploymentsScreen',
  ),
})
const deployment = createRoute({
  getParentRoute: () => organization,
  path: pages.deployment.path,
  validateSearch: onlyKnown(readDeploymentSearch),
  component: lazyRouteComponent(
    () => import('./screens/deployments/detail/deployment-screen.tsx'),
    'DeploymentScreen',
  ),
})
const environments = createRoute({
  getParentRoute: () => organization,
  path: pages.environments.path,
  validateSearch: onlyKnown(readEnvironmentsSearch),
  component: lazyRouteComponent(
    () => import('./screens/environments/environments-screen.tsx'),
    'EnvironmentsScreen',
  ),
})
const timeline = createRoute({
  getParentRoute: () => organization,
  path: pages.timeline.path,
  validateSearch: onlyKnown(readTimelineSearch),
  component: lazyRouteComponent(
    () => import('./screens/timeline/timeline-screen.tsx'),
    'TimelineScreen',
  ),
})
const config = createRoute({
  getParentRoute: () => organization,
  path: pages.config.path,
  validateSearch: onlyKnown(readMatrixSearch),
  component: lazyRouteComponent(
    () => import('./screens/configs/config-screen.tsx'),
    'ConfigScreen',
  ),
})
const flags = createRoute({
  getParentRoute: () => organization,
  path: pages.flags.path,
  validateSearch: onlyKnown(readMatrixSearch),
  component: lazyRouteComponent(() => import('./screens/configs/flags-screen.tsx'), 'FlagsScreen'),
})
const segments = createRoute({
  getParentRoute: () => organization,
  path: pages.segments.path,
  validateSearch: onlyKnown(readSegmentsSearch),
  component: lazyRouteComponent(
    () => import('./screens/segments/segments-screen.tsx'),
    'SegmentsScreen',
  ),
})
const schemas = createRoute({
  getParentRoute: () => organization,
  path: pages.schemas.path,
  validateSearch: onlyKnown(readSchemasSearch),
  component: lazyRouteComponent(
    () => import('./screens/schemas/schemas-screen.tsx'),
    'SchemasScreen',
  ),
})
const importing = createRoute({
  getParentRoute: () => organization,
  path: pages.import.path,
  component: lazyRouteComponent(
    () => import('./screens/imports/import-screen.tsx'),
    'ImportScreen',
  ),
})
const history = createRoute({
  getParentRoute: () => organization,
  path: pages.history.path,
  validateSearch: onlyKnown(readHistorySearch),
  component: lazyRouteComponent(
    () => import('./screens/history/history-screen.tsx'),
    'HistoryScreen',
  ),
})
const integrations = createRoute({
  getParentRoute: () => organization,
  path: pages.integrations.path,
  validateSearch: onlyKnown(readIntegrationsSearch),
  component: lazyRouteComponent(
    () => import('./screens/integrations/integrations-screen.tsx'),
    'IntegrationsScreen',
  ),
})
const integration = createRoute({
  getParentRoute: () => organization,
  path: pages.integration.path,
  validateSearch: onlyKnown(readIntegrationSearch),
  component: lazyRouteComponent(
    () => import('./screens/integrations/integration-screen.tsx'),
    'IntegrationScreen',
  ),
})
const notifications = createRoute({
  getParentRoute: () => organization,
  path: pages.notifications.path,
  validateSearch: onlyKnown(readNotificationsSearch),
  component: lazyRouteComponent(
    () => import('./screens/notifications/notifications-screen.tsx'),
    'NotificationsScreen',
  ),
})
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: pages.webhooks.path,
  validateSearch: onlyKnown(readWebhooksSearch),
  component: lazyRouteComponent(
    () => import('./screens/webhooks/webhooks-screen.tsx'),
    'WebhooksScreen',
  ),
})
const outgoing = createRoute({
  getParentRoute: () => organization,
  path: pages.outgoing.path,
  validateSearch: onlyKnown(readOutgoingSearch),
  component: lazyRouteComponent(
    () => import('./screens/outgoing/outgoing-screen.tsx'),
    'OutgoingScreen',
  ),
})
const targets = createRoute({
  getParentRoute: () => organization,
  path: pages.targets.path,
  validateSearch: onlyKnown(readTargetsSearch),
  component: lazyRouteComponent(
    () => import('./screens/targets/targets-screen.tsx'),
    'TargetsScreen',
  ),
})
const keys = createRoute({
  getParentRoute: () => organization,
  path: pages.keys.path,
  validateSearch: onlyKnown(readKeysSearch),
  component: lazyRouteComponent(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
})
const members = createRoute({
  getParentRoute: () => organization,
  path: pages.members.path,
  validateSearch: onlyKnown(readMembersSearch),
  component: lazyRouteComponent(
    () => import('./screens/members/members-screen.tsx'),
    'MembersScreen',
  ),
})
const audit = createRoute({
  getParentRoute: () => organization,
  path: pages.audit.path,
  validateSearch: onlyKnown(readAuditSearch),
  component: lazyRouteComponent(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
})
const settings = createRoute({
  getParentRoute: () => organization,
  path: pages.settings.path,
  component: lazyRouteComponent(
    () => import('./screens/settings/settings-screen.tsx'),
    'SettingsScreen',
  ),
})

const routeTree = root.addChildren([
  home,
  setup,
  signIn,
  invitation,
  person.addChildren([organizations, account, device, assistant]),
  organization.addChildren([
    overview,
    deployments,
    deployment,
    environments,
    timeline,
    config,
    flags,
    segments,
    schemas,
    importing,
    history,
    integrations,
    integration,
    notifications,
    webhooks,
    outgoing,
    targets,
    keys,
    members,
    audit,
    settings,
  ]),
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
