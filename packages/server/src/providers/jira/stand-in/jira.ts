import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { FaultKind } from '../../../../../sandbox/src/http/faults.ts'
import { html } from '../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../sandbox/src/http/page.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { Provider } from '../../../../../sandbox/src/http/provider.ts'
import { accessibleResourcesRoute, siteRoute } from './gateway.ts'
import { issueOperations } from './issue-operations.ts'
import { createJiraTokens, oauthRoutes, type JiraGrant, type JiraOauth } from './oauth.ts'
import { projectOperations } from './project-operations.ts'
import { gatewayError } from './errors.ts'
import { remoteLinkOperations } from './remote-link-operations.ts'
import { searchOperations } from './search-operations.ts'
import { siteOperations } from './site-operations.ts'
import { sitePages } from './site-pages.ts'
import { createJiraState, type JiraIssue, type JiraProject, type JiraState } from './state.ts'
import type { StatusName } from './vocabulary.ts'
import {
  addIssue,
  addProject,
  deleteIssue,
  hideProject,
  moveIssue,
  setStatus,
  type NewIssue,
  type NewProject,
} from './write-state.ts'

/** Describes the pretended Jira Cloud: one app, one account, and the sites that the account belongs to. */
export interface Jira extends Provider {
  readonly name: 'jira'
  readonly account: JiraState['account']
  /** Holds the 3LO app that stands for the product. Its registration survives a reset, like the sites' cloud ids. */
  readonly app: JiraState['app']
  readonly sites: JiraState['sites']
  /** Holds the status for an expired access token. Default 401; some clients have received 404. */
  expiredAnswers: 401 | 404
  addProject(project: NewProject): JiraProject
  /** Adds an issue under the next free key of its project. */
  addIssue(issue: NewIssue): JiraIssue
  /** Moves an issue to another project, where it gets another key. */
  moveIssue(key: string, toProject: string): JiraIssue
  deleteIssue(key: string): void
  setStatus(key: string, status: StatusName): void
  /** Revokes the account's permission to browse a project of the first site. */
  hideProject(key: string): void
  /** Adds the account to the second site. The authorization page then asks for the site. */
  offerSecondSite(): void
  /** Refuses every token and clears all grants, as when the account removes the app from its connected apps. */
  removeGrant(): void
  /** Expires every access token now. */
  expireTokens(): void
  /** Returns Jira's response to too many requests, for the sandbox's faults. */
  rateLimited(limit: RateLimit): FaultKind
}

/** Creates the pretended Jira Cloud with its seed. */
export function createJira({ clock }: { readonly clock: Clock }): Jira {
  const state = createJiraState(clock)
  const codes = createAuthorizationCodes<JiraGrant>(clock)
  const tokens = createJiraTokens(clock)
  seedJira(state)
  return {
    name: 'jira',
    mounts: createMounts({ jira: state, codes, tokens }),
    account: state.account,
    app: state.app,
    sites: state.sites,
    get expiredAnswers() {
      return state.expiredAnswers
    },
    set expiredAnswers(status) {
      state.expiredAnswers = status
    },
    addProject: (project) => addProject(state, project),
    addIssue: (issue) => addIssue(state, issue),
    moveIssue: (key, toProject) => moveIssue(state, key, toProject),
    deleteIssue: (key) => deleteIssue(state, key),
    setStatus: (key, status) => setStatus(state, key, status),
    hideProject: (key) => hideProject(state, key),
    offerSecondSite() {
      state.sites['acme-labs'].offered = true
    },
    removeGrant() {
      tokens.reset()
      state.granted.clear()
    },
    expireTokens: () => tokens.expireAll(),
    rateLimited: (limit) => rateLimited(clock, limit),
    reset() {
      codes.reset()
      tokens.reset()
      state.clear()
      seedJira(state)
    },
  }
}

const unknown = () => gatewayError(404, 'Not Found')
const noPage = () => html(renderPage('Nothing is here', markup``), 404)

function createMounts(parts: JiraOauth): Provider['mounts'] {
  const operations = [
    ...issueOperations,
    ...remoteLinkOperations,
    ...projectOperations,
    ...searchOperations,
    ...siteOperations,
  ]
  return [
    {
      prefix: '/atlassian/auth',
      routes: oauthRoutes(parts),
      unknown,
    },
    {
      prefix: '/atlassian/api',
      routes: [
        accessibleResourcesRoute(parts),
        ...operations.map((operation) => siteRoute(parts, operation)),
      ],
      unknown,
    },
    { prefix: '/atlassian/sites', routes: sitePages(parts.jira), unknown: noPage },
  ]
}

/** Adds the seed: two projects and a hidden one on the first site, one project on the second. */
function seedJira(jira: JiraState): void {
  addProject(jira, { key: 'ABC', name: 'Shop' })
  addProject(jira, { key: 'WEB2', name: 'Website' })
  addProject(jira, { key: 'SEC', name: 'Security' })
  addProject(jira, { site: 'acme-labs', key: 'LAB', name: 'Laboratory' })
  const assignee = jira.account
  addIssue(jira, {
    project: 'ABC',
    summary: 'The basket forgets its currency',
    type: 'Bug',
    status: 'In Progress',
    priority: 'High',
    assignee,
  })
  addIssue(jira, { project: 'ABC', summary: 'Show the delivery date', type: 'Story', assignee })
  addIssue(jira, { project: 'ABC', summary: 'Remove the old checkout', status: 'Done' })
  addIssue(jira, { project: 'WEB2', summary: 'Rewrite the start page', status: 'In Review' })
  addIssue(jira, { project: 'SEC', summary: 'Turn the keys over', priority: 'Highest' })
  addIssue(jira, { site: 'acme-labs', project: 'LAB', summary: 'Try a darker theme' })
  hideProject(jira, 'SEC')
}

/** Describes a rate limit that has been reached, and for how long. */
interface RateLimit {
  /** Names the limit that is reached. Default `jira-burst-based`. */
  readonly reason?:
    | 'jira-burst-based'
    | 'jira-per-issue-on-write'
    | 'jira-quota-tenant-based'
    | 'jira-quota-global-based'
  readonly retryAfterSeconds: number
}

/** Returns Jira's response to too many requests. @see https://developer.atlassian.com/cloud/jira/platform/rate-limiting/ */
function rateLimited(
  clock: Clock,
  { reason = 'jira-burst-based', retryAfterSeconds }: RateLimit,
): FaultKind {
  const until = new Date(clock.now().getTime() + retryAfterSeconds * 1000)
  return {
    kind: 'answer',
    status: 429,
    headers: {
      'content-type': 'application/json',
      'retry-after': String(retryAfterSeconds),
      'ratelimit-reason': reason,
      'x-ratelimit-remaining': '0',
      // Rounded to minutes, as in the documentation: 2026-03-01T12:05Z.
      'x-ratelimit-reset': until.toISOString().replace(/:\d\d\.\d+Z$/, 'Z'),
    },
    body: JSON.stringify({ code: 429, message: 'Rate limit exceeded' }),
  }
}
