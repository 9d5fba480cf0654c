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
import { RenderFault } from './shell/render-fault.tsx'
import { ToFirstOrganization } from './shell/to-first-organization.tsx'
import { onlyKnown } from './screens/only-known.ts'
import { readAuditSearch } from './screens/audit/search.ts'
import { readWebhooksSearch } from './screens/webhooks/search.ts'
import { readDeviceSearch } from './screens/device/search.ts'
import { readDeploymentSearch } from './screens/deployment/search.ts'
import { readDeploymentsSearch } from './screens/deployments/search.ts'
import { readOverviewSearch } from './screens/overview/search.ts'
import { readMatrixSearch } from './configs/workspace/search.ts'
import { readEnvironmentsSearch } from './screens/environments/search.ts'
import { readHistorySearch } from './screens/history/search.ts'
import { readSchemasSearch } from './screens/schemas/search.ts'
import { readNewSearch } from './screens/new-search.ts'
import { readIntegrationSearch, readIntegrationsSearch } from './screens/integrations/search.ts'
import { readKeysSearch } from './screens/keys/search.ts'
import { readMembersSearch } from './screens/members/search.ts'
import { readNotificationsSearch } from './screens/notifications/search.ts'
import { readSignInSearch } from './screens/sign-in/search.ts'
import { readTimelineSearch } from './screens/timeline/search.ts'

/** Every screen by its address. What stands behind an address is loaded when somebody goes there. */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: ToFirstOrganization,
})
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./screens/setup/setup-screen.tsx'), 'SetupScreen'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: onlyKnown(readSignInSearch),
  component: lazyRouteComponent(
    () => import('./screens/sign-in/sign-in-screen.tsx'),
    'SignInScreen',
  ),
})

/** Pages of a person, whatever organization. */
const person = createRoute({ getParentRoute: () => root, id: 'person', component: PersonShell })
const organizations = createRoute({
  getParentRoute: () => person,
  path: '/orgs',
  validateSearch: onlyKnown(readNewSearch),
  component: lazyRouteComponent(
    () => import('./screens/organizations/organizations-screen.tsx'),
    'OrganizationsScreen',
  ),
})
const account = createRoute({
  getParentRoute: () => person,
  path: '/account',
  validateSearch: onlyKnown(readNewSearch),
  component: lazyRouteComponent(
    () => import('./screens/account/account-screen.tsx'),
    'AccountScreen',
  ),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(
    () => import('./screens/invitation/invitation-screen.tsx'),
    'InvitationScreen',
  ),
})
const device = createRoute({
  getParentRoute: () => person,
  path: '/device',
  validateSearch: onlyKnown(readDeviceSearch),
  component: lazyRouteComponent(() => import('./screens/device/device-screen.tsx'), 'DeviceScreen'),
})

const organization = createRoute({
  getParentRoute: () => root,
  path: '/$org',
  component: OrganizationShell,
  notFoundComponent: NotFound,
})
const overview = createRoute({
  getParentRoute: () => organization,
  path: '/',
  validateSearch: onlyKnown(readOverviewSearch),
  component: lazyRouteComponent(
    () => import('./screens/overview/overview-screen.tsx'),
    'OverviewScreen',
  ),
})
const deployments = createRoute({
  getParentRoute: () => organization,
  path: '/deployments',
  validateSearch: onlyKnown(readDeploymentsSearch),
  component: lazyRouteComponent(
    () => import('./screens/deployments/deployments-screen.tsx'),
    'DeploymentsScreen',
  ),
})
const deployment = createRoute({
  getParentRoute: () => organization,
  path: '/deployments/$deploymentId',
  validateSearch: onlyKnown(readDeploymentSearch),
  component: lazyRouteComponent(
    () => import('./screens/deployment/deployment-screen.tsx'),
    'DeploymentScreen',
  ),
})
const environments = createRoute({
  getParentRoute: () => organization,
  path: '/environments',
  validateSearch: onlyKnown(readEnvironmentsSearch),
  component: lazyRouteComponent(
    () => import('./screens/environments/environments-screen.tsx'),
    'EnvironmentsScreen',
  ),
})
const timeline = createRoute({
  getParentRoute: () => organization,
  path: '/timeline',
  validateSearch: onlyKnown(readTimelineSearch),
  component: lazyRouteComponent(
    () => import('./screens/timeline/timeline-screen.tsx'),
    'TimelineScreen',
  ),
})
const config = createRoute({
  getParentRoute: () => organization,
  path: '/config',
  validateSearch: onlyKnown(readMatrixSearch),
  component: lazyRouteComponent(() => import('./screens/config/config-screen.tsx'), 'ConfigScreen'),
})
const flags = createRoute({
  getParentRoute: () => organization,
  path: '/flags',
  validateSearch: onlyKnown(readMatrixSearch),
  component: lazyRouteComponent(() => import('./screens/flags/flags-screen.tsx'), 'FlagsScreen'),
})
const schemas = createRoute({
  getParentRoute: () => organization,
  path: '/schemas',
  validateSearch: onlyKnown(readSchemasSearch),
  component: lazyRouteComponent(
    () => import('./screens/schemas/schemas-screen.tsx'),
    'SchemasScreen',
  ),
})
const history = createRoute({
  getParentRoute: () => organization,
  path: '/history',
  validateSearch: onlyKnown(readHistorySearch),
  component: lazyRouteComponent(
    () => import('./screens/history/history-screen.tsx'),
    'HistoryScreen',
  ),
})
const integrations = createRoute({
  getParentRoute: () => organization,
  path: '/integrations',
  validateSearch: onlyKnown(readIntegrationsSearch),
  component: lazyRouteComponent(
    () => import('./screens/integrations/integrations-screen.tsx'),
    'IntegrationsScreen',
  ),
})
const integration = createRoute({
  getParentRoute: () => organization,
  path: '/integrations/$kind',
  validateSearch: onlyKnown(readIntegrationSearch),
  component: lazyRouteComponent(
    () => import('./screens/integrations/integration-screen.tsx'),
    'IntegrationScreen',
  ),
})
const notifications = createRoute({
  getParentRoute: () => organization,
  path: '/notifications',
  validateSearch: onlyKnown(readNotificationsSearch),
  component: lazyRouteComponent(
    () => import('./screens/notifications/notifications-screen.tsx'),
    'NotificationsScreen',
  ),
})
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: '/webhooks',
  validateSearch: onlyKnown(readWebhooksSearch),
  component: lazyRouteComponent(
    () => import('./screens/webhooks/webhooks-screen.tsx'),
    'WebhooksScreen',
  ),
})
const keys = createRoute({
  getParentRoute: () => organization,
  path: '/keys',
  validateSearch: onlyKnown(readKeysSearch),
  component: lazyRouteComponent(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
})
const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  validateSearch: onlyKnown(readMembersSearch),
  component: lazyRouteComponent(
    () => import('./screens/members/members-screen.tsx'),
    'MembersScreen',
  ),
})
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  validateSearch: onlyKnown(readAuditSearch),
  component: lazyRouteComponent(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
})
const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
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
  person.addChildren([organizations, account, device]),
  organization.addChildren([
    overview,
    deployments,
    deployment,
    environments,
    timeline,
    config,
    flags,
    schemas,
    history,
    integrations,
    integration,
    notifications,
    webhooks,
    keys,
    members,
    audit,
    settings,
  ]),
])

let shownPath = ''

/** Whatever opens or is narrowed within a screen leaves it where it was scrolled to. */
function isOtherScreen({ location }: { readonly location: { readonly pathname: string } }) {
  const before = shownPath
  shownPath = location.pathname
  if (shownPath !== before) return true
  // The same place has another address now, and is to be found there by whoever comes back to it: the router keeps for an
  // address what was scrolled while it was shown, and asks before it begins to listen.
  document.dispatchEvent(new Event('scroll'))
  return false
}

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: RenderFault,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: isOtherScreen,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
