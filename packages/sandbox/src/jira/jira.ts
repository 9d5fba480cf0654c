import type { Clock } from '../clock.ts'
import type { FaultKind } from '../http/faults.ts'
import { html } from '../http/answers.ts'
import { markup, renderPage } from '../http/page.ts'
import { createAuthorizationCodes, type AuthorizationCodes } from '../oauth/authorization-codes.ts'
import type { Provider } from '../http/provider.ts'
import { authorizeRoutes } from './authorize-routes.ts'
import { accessibleResourcesRoute, siteRoute } from './gateway.ts'
import { issueOperations } from './issue-operations.ts'
import { projectOperations } from './project-operations.ts'
import { rateLimited, type RateLimit } from './rate-limited.ts'
import { gatewayError } from './errors.ts'
import { remoteLinkOperations } from './remote-link-operations.ts'
import { searchOperations } from './search-operations.ts'
import { seedJira } from './seed.ts'
import { siteOperations } from './site-operations.ts'
import { sitePages } from './site-pages.ts'
import { createJiraState, type JiraIssue, type JiraProject, type JiraState } from './state.ts'
import { createTokenFamilies, type TokenFamilies } from './token-families.ts'
import { tokenRoutes } from './token-routes.ts'
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
  const codes = createAuthorizationCodes<readonly string[]>(clock)
  const tokens = createTokenFamilies(clock)
  seedJira(state)
  return {
    name: 'jira',
    mounts: createMounts(state, codes, tokens),
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
      tokens.killAll()
      state.granted.clear()
    },
    expireTokens: () => tokens.expireAll(),
    rateLimited: (limit) => rateLimited(clock, limit),
    reset() {
      codes.reset()
      tokens.killAll()
      state.clear()
      seedJira(state)
    },
  }
}

const unknown = () => gatewayError(404, 'Not Found')
const noPage = () => html(renderPage('Nothing is here', markup``), 404)

function createMounts(
  jira: JiraState,
  codes: AuthorizationCodes<readonly string[]>,
  tokens: TokenFamilies,
): Provider['mounts'] {
  const operations = [
    ...issueOperations,
    ...remoteLinkOperations,
    ...projectOperations,
    ...searchOperations,
    ...siteOperations,
  ]
  const gateway = { jira, tokens }
  return [
    {
      prefix: '/atlassian/auth',
      routes: [...authorizeRoutes(jira, codes), ...tokenRoutes({ jira, codes, tokens })],
      unknown,
    },
    {
      prefix: '/atlassian/api',
      routes: [
        accessibleResourcesRoute(gateway),
        ...operations.map((operation) => siteRoute(gateway, operation)),
      ],
      unknown,
    },
    { prefix: '/atlassian/sites', routes: sitePages(jira), unknown: noPage },
  ]
}
