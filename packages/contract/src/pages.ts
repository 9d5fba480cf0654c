import type { Role } from './roles.ts'

/** Describes a page of the dashboard. */
interface Page {
  /**
   * Holds the path, for pages of an organization below its address. `$name` is a parameter. Example:
   * `/deployments/$deploymentId`.
   */
  readonly path: `/${string}`
  /** Names the page's audience: `nobody` needs no sign-in. */
  readonly of: 'organization' | 'person' | 'nobody'
  readonly title: string
  /** Lists further words for the search. Absent: the search does not list the page. */
  readonly keywords?: string
  /** Holds the least role that may open it. Default every member. */
  readonly role?: Role
}

/** Lists every page of the dashboard. The router, the sidebar, the palette, the search and the tests of all screens read it. */
export const pages = {
  overview: { of: 'organization', path: '/', title: 'Overview', keywords: 'home front start' },
  deployments: {
    of: 'organization',
    path: '/deployments',
    title: 'Deployments',
    keywords: 'releases pushes commit checks pull requests',
  },
  deployment: { of: 'organization', path: '/deployments/$deploymentId', title: 'Deployment' },
  check: { of: 'organization', path: '/deployments/checks/$checkId', title: 'Commit check' },
  gates: {
    of: 'organization',
    path: '/gates',
    title: 'Gates',
    keywords: 'hold wait approve override freeze rules deployments',
  },
  gateDecision: { of: 'organization', path: '/gates/$decisionId', title: 'Gate decision' },
  environments: {
    of: 'organization',
    path: '/environments',
    title: 'Environments',
    keywords: 'production staging',
  },
  timeline: {
    of: 'organization',
    path: '/timeline',
    title: 'Timeline',
    keywords: 'changes what changed activity join',
  },
  config: {
    of: 'organization',
    path: '/config',
    title: 'Configuration',
    keywords: 'values secrets matrix keys',
  },
  flags: { of: 'organization', path: '/flags', title: 'Flags', keywords: 'feature toggles' },
  segments: {
    of: 'organization',
    path: '/segments',
    title: 'Segments',
    keywords: 'audiences users groups targeting rules',
  },
  schemas: {
    of: 'organization',
    path: '/schemas',
    title: 'Schemas',
    keywords: 'definitions types import LaunchDarkly Unleash Doppler Vault',
  },
  import: {
    of: 'organization',
    path: '/schemas/$schemaId/import',
    title: 'Import',
    role: 'developer',
  },
  history: {
    of: 'organization',
    path: '/history',
    title: 'History',
    keywords: 'versions restore changes',
  },
  requests: {
    of: 'organization',
    path: '/requests',
    title: 'Requests',
    keywords: 'change requests approvals reviews approve decline waiting',
  },
  request: { of: 'organization', path: '/requests/$requestId', title: 'Request' },
  integrations: {
    of: 'organization',
    path: '/integrations',
    title: 'Integrations',
    keywords: 'connect providers',
  },
  integration: { of: 'organization', path: '/integrations/$kind', title: 'Integration' },
  notifications: {
    of: 'organization',
    path: '/notifications',
    title: 'Notifications',
    keywords: 'routes messages',
  },
  webhooks: {
    of: 'organization',
    path: '/webhooks',
    title: 'Incoming webhooks',
    keywords: 'deliveries replay',
  },
  outgoing: {
    of: 'organization',
    path: '/outgoing-webhooks',
    title: 'Outgoing webhooks',
    keywords: 'events grafana annotations receivers',
  },
  signals: {
    of: 'organization',
    path: '/signals',
    title: 'Signals',
    keywords: 'proofs watch alerts prometheus health restore',
  },
  targets: {
    of: 'organization',
    path: '/targets',
    title: 'Targets',
    keywords: 'destinations secrets variables workflows write',
  },
  keys: {
    of: 'organization',
    path: '/keys',
    title: 'API keys',
    keywords: 'tokens browser server agents assistants mcp',
  },
  members: {
    of: 'organization',
    path: '/members',
    title: 'Members',
    keywords: 'people roles invitations groups grants rights access',
  },
  audit: {
    of: 'organization',
    path: '/audit',
    title: 'Audit log',
    keywords: 'chain export who',
    role: 'admin',
  },
  settings: {
    of: 'organization',
    path: '/settings',
    title: 'Settings',
    keywords: 'organization delete failed jobs',
  },
  organizations: { of: 'person', path: '/orgs', title: 'Organizations' },
  account: { of: 'person', path: '/account', title: 'Your account' },
  device: { of: 'person', path: '/device', title: 'Sign in a device' },
  assistant: { of: 'person', path: '/oauth/assistant', title: 'Connect an assistant' },
  signIn: { of: 'nobody', path: '/login', title: 'Sign in' },
  setup: { of: 'nobody', path: '/setup', title: 'Set up' },
  invitation: { of: 'nobody', path: '/invitation', title: 'Invitation' },
} as const satisfies Record<string, Page>
/** Names a page of the dashboard. */
export type PageId = keyof typeof pages

/** Lists the ids of all pages. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the ids
export const pageIds = Object.keys(pages) as PageId[]

/** Refers to a page with the parameters of its path and its query. */
export interface PageRef {
  readonly page: PageId
  /** Example: `{ deploymentId: 'dep_…' }`. */
  readonly params?: Readonly<Record<string, string>>
  /** Example: `{ state: 'dead' }`. */
  readonly search?: Readonly<Record<string, string>>
}

/** Returns the address of a page, for pages of an organization below its address. Example: `/webhooks?state=dead`. */
export function toHref({ page, params = {}, search = {} }: PageRef): string {
  const path = pages[page].path.replaceAll(/\$(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const query = Object.entries(search).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/**
 * Lists the first segments of pages that belong to no organization. The slug of an organization, which begins the
 * other addresses, can be none of these.
 */
export const pagePaths: readonly string[] = pageIds
  .filter((id) => pages[id].of !== 'organization')
  .map((id) => pages[id].path.split('/')[1] ?? '')
