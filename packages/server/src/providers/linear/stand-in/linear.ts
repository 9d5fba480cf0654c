import { buildSchema } from '../../../../../sandbox/src/models/graphql.ts'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { html, json } from '../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../sandbox/src/http/page.ts'
import type { Provider } from '../../../../../sandbox/src/http/provider.ts'
import { route, type Route } from '../../../../../sandbox/src/http/route.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import { graphqlRoute } from './graphql-route.ts'
import {
  createLinearTokens,
  pageRoutes,
  tokenRoutes,
  type LinearGrant,
  type LinearOAuthParts,
} from './oauth.ts'
import { seedLinear } from './seed.ts'
import {
  createLinearState,
  identifierOf,
  type LinearIssue,
  type LinearState,
  type LinearTeam,
  type LinearWindow,
} from './state.ts'
import { createLinearWebhooks } from './webhooks.ts'
import {
  addIssue,
  addTeam,
  findIssue,
  issueOf,
  moveIssue,
  teamOf,
  type NewLinearIssue,
} from './write-state.ts'

/** Describes the pretended Linear: a workspace, its application, and issues in teams. */
export interface Linear extends Provider {
  readonly name: 'linear'
  readonly workspace: LinearState['workspace']
  /** Holds the application that stands for the product. Its registration survives a reset. */
  readonly app: LinearState['app']
  addTeam(team: Pick<LinearTeam, 'key' | 'name'>): LinearTeam
  addIssue(issue: NewLinearIssue): LinearIssue
  /** Lists the issues that the application can see. */
  issues(): readonly { readonly identifier: string; readonly title: string }[]
  /** Moves an issue to another team, where it gets another key. */
  moveIssue(key: string, toTeam: string): LinearIssue
  /** Changes the title or the state of an issue, and sends the webhook of it. */
  editIssue(key: string, change: Partial<Pick<LinearIssue, 'title' | 'state'>>): void
  /** Archives an issue, as Linear does with finished ones after a while. */
  archiveIssue(key: string): void
  /** Takes a team from the application. */
  hideTeam(key: string): void
  /** Uses a window up until a moment from now. */
  spend(window: LinearWindow, resetsInMs: number): void
  /** Expires every access token now. */
  expireTokens(): void
  /** Removes the application from the workspace, as its administrator does, and tells it so. */
  removeApp(): void
  /** Executes queries on this schema, and not on the part of it that is pretended. A reset leaves it. */
  useSchema(text: string): void
  /** Sends a webhook of an event. */
  emit(type: string, action: string, more?: Readonly<Record<string, unknown>>): void
}

/** Creates the pretended Linear with its seed. */
export function createLinear({ clock }: { readonly clock: Clock }): Linear {
  const state = createLinearState(clock)
  const tokens = createLinearTokens(clock)
  const codes = createAuthorizationCodes<LinearGrant>(clock)
  const webhooks = createLinearWebhooks(state)
  const parts = { state, codes, tokens }
  seedLinear(state)
  return {
    name: 'linear',
    mounts: mountsOf(parts),
    workspace: state.workspace,
    app: state.app,
    addTeam: (team) => addTeam(state, team),
    issues: () =>
      [...state.issues.values()]
        .filter(({ team }) => !team.isHidden)
        .map(({ team, number, title }) => ({ identifier: `${team.key}-${number}`, title })),
    addIssue: (issue) => addIssue(state, issue),
    moveIssue(key, toTeam) {
      const moved = moveIssue(state, key, toTeam)
      emitIssue(webhooks, moved, { identifier: key })
      return moved
    },
    editIssue(key, change) {
      const issue = issueOf(state, key)
      const before = { title: issue.title, state: issue.state }
      Object.assign(issue, change)
      emitIssue(webhooks, issue, before)
    },
    archiveIssue(key) {
      issueOf(state, key).archivedAt = clock.now()
    },
    hideTeam(key) {
      teamOf(state, key).isHidden = true
    },
    spend: (window, resetsInMs) => void state.spent.set(window, clock.now().getTime() + resetsInMs),
    expireTokens: () => tokens.expireAll(),
    removeApp() {
      tokens.reset()
      webhooks.emit('OAuthApp', 'revoked', { oauthClientId: state.app.clientId })
    },
    useSchema: (text) => void (state.schema = buildSchema(text)),
    emit: (type, action, more) => webhooks.emit(type, action, more),
    reset() {
      codes.reset()
      tokens.reset()
      webhooks.reset()
      for (const part of [state.teams, state.issues, state.spent]) part.clear()
      seedLinear(state)
    },
  }
}

function mountsOf(parts: LinearOAuthParts): Linear['mounts'] {
  const { state, tokens } = parts
  return [
    {
      prefix: '/linear/api',
      routes: [graphqlRoute(state, tokens), ...tokenRoutes(parts)],
      unknown: () => json({ error: 'Not found' }, 404),
    },
    {
      prefix: '/linear',
      routes: [...pageRoutes(parts), issuePage(state)],
      unknown: () => html(renderPage('Nothing is here', markup``), 404),
    },
  ]
}

/** Sends the webhook of a changed issue, with what was there before, as Linear does. */
function emitIssue(
  webhooks: ReturnType<typeof createLinearWebhooks>,
  issue: LinearIssue,
  updatedFrom: object,
): void {
  const { id, number, team, title, previousIdentifiers, assignee } = issue
  const identifier = identifierOf(issue)
  const { key, name } = team
  const data = { id, identifier, number, title, previousIdentifiers, state: issue.state }
  const more = { team: { id: team.id, key, name }, ...(assignee !== undefined && { assignee }) }
  webhooks.emit('Issue', 'update', { data: { ...data, ...more }, updatedFrom })
}

/** Creates the page of an issue, to which messages link. A former key leads to it as well. */
function issuePage(state: LinearState): Route {
  return route(`GET /${state.workspace.urlKey}/issue/:key`, ({ params: { key = '' } }) => {
    const issue = findIssue(state, key)
    if (issue === undefined) return html(renderPage('No such issue', markup``), 404)
    const content = markup`<p>${issue.state.name} · ${issue.priorityLabel}</p>`
    return html(renderPage(`${key} ${issue.title}`, content))
  })
}
