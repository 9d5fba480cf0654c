import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { PlayedProvider } from '../../../../../sandbox/src/models/stand-in.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import { createApi, unknownRoute } from './access.ts'
import { createActivity, type ForgejoActivity } from './activity/create-activity.ts'
import { createCodeHost, type ForgejoCodeHost } from './create-code-host.ts'
import { createHooks, type ForgejoHooks } from './hooks.ts'
import { issueJobToken, issuerRoutes, type ForgejoJob } from './job-identity.ts'
import { oauthRoutes } from './oauth.ts'
import type { ForgejoParts } from './parts.ts'
import { createForgejoTokens, type ForgejoGrant } from './tokens.ts'
import { actionRoutes } from './routes/action-routes.ts'
import { hookRoutes } from './routes/hook-routes.ts'
import { issueRoutes } from './routes/issue-routes.ts'
import { pullRoutes } from './routes/pull-routes.ts'
import { repositoryRoutes } from './routes/repository-routes.ts'
import { statusRoutes } from './routes/status-routes.ts'
import { createApplication, getUser, seedUsers } from './seed.ts'
import {
  createForgejoState,
  defaultSettings,
  findRepository,
  type ForgejoApplication,
  type ForgejoSettings,
  type ForgejoState,
  type ForgejoRepository,
  type ForgejoUser,
} from './state.ts'
import type { Answer, Route } from '../../../../../sandbox/src/http/route.ts'
import { codePages, noPage } from '../../../../../sandbox/src/models/code-pages.ts'

/** Describes the pretended Forgejo, or Gitea: an instance below a path, as a person may run one. */
export interface Forgejo extends PlayedProvider {
  readonly name: 'forgejo'
  readonly state: ForgejoState
  /** Holds the application that stands for the product. Its registration survives a reset. */
  readonly app: ForgejoApplication
  /** Holds the switches of the instance: which product it is, and what it knows. */
  readonly settings: ForgejoSettings
  readonly hooks: ForgejoHooks
  /** Performs the actions of people and runners. */
  readonly activity: ForgejoActivity
  /** Pushes, deploys and tests for the stage. */
  readonly codeHost: ForgejoCodeHost
  /** Creates an access token as a person does. Example: `createAccessToken('ada', ['read:repository'])`. */
  createAccessToken(login: string, scopes: readonly string[]): string
  /** Returns the OIDC token of a run's job. */
  issueJobToken(of: Omit<ForgejoJob, 'state'>): string
  /** Lets every access token of OAuth expire now. */
  expireTokens(): void
  /** Ends all tokens of the application, as when the person removes it in the settings. */
  revokeGrants(): void
}

/** Holds the path of the instance. Everything of it is below. */
export const forgejoPath = '/forgejo'

/** Creates the instance with its seeded people, and without repositories. */
export function createForgejo({ clock }: { readonly clock: Clock }): Forgejo {
  const state = createForgejoState(clock, createApplication())
  const tokens = createForgejoTokens(clock, state.settings)
  const codes = createAuthorizationCodes<ForgejoGrant>(clock)
  const hooks = createHooks(state)
  const activity = createActivity({ state, hooks })
  const authorizations = new Map<string, ForgejoGrant>()
  const parts = { state, tokens, codes, authorizations, activity }
  seedUsers(state)
  return {
    name: 'forgejo',
    state,
    app: state.application,
    settings: state.settings,
    hooks,
    activity,
    codeHost: createCodeHost({
      state,
      activity,
      hooks,
      isConnected: () => authorizations.size > 0,
    }),
    createAccessToken(login, scopes) {
      const token = randomBytes(20).toString('hex')
      tokens.add({ user: getUser(state, login), scopes, scope: undefined }, token)
      return token
    },
    issueJobToken: (of) => issueJobToken({ ...of, state }),
    listenAt: (origin) => void (state.baseUrl = `${origin}${forgejoPath}`),
    expireTokens: () => tokens.expireAll(),
    skipId: () => void state.nextId(),
    revokeGrants() {
      authorizations.clear()
      tokens.revoke(({ grant }) => grant.scope !== undefined)
    },
    mounts: createMounts(parts),
    reset() {
      for (const part of [tokens, codes, hooks]) part.reset()
      Object.assign(state.settings, defaultSettings())
      for (const part of [authorizations, state.repositories, state.users]) part.clear()
      seedUsers(state)
    },
  }
}

function createMounts(parts: ForgejoParts): Forgejo['mounts'] {
  const { state } = parts
  const api = createApi(parts)
  return [
    {
      prefix: forgejoPath,
      routes: [...oauthRoutes(parts), ...issuerRoutes(state), ...createPages(state)],
      unknown: noSuchPage,
    },
    {
      prefix: `${forgejoPath}/api/v1`,
      routes: [
        ...repositoryRoutes(parts, api),
        ...hookRoutes(parts, api),
        ...issueRoutes(parts, api),
        ...pullRoutes(parts, api),
        ...statusRoutes(parts, api),
        ...actionRoutes(parts, api),
      ],
      unknown: unknownRoute,
    },
  ]
}

/** Returns the instance's page of an address that does not exist. */
const noSuchPage = (): Answer => noPage('404: Not found')

/** Creates the pages that links to the instance open. The page of a run is at its number within the repository. */
function createPages(state: ForgejoState): Route[] {
  return codePages<ForgejoUser, ForgejoRepository>({
    path: '/:owner/:repo',
    runs: 'actions/runs',
    find: (name) => findRepository(state, name),
    urlOf: ({ fullName }) => `/forgejo/${fullName}`,
    nameOf: ({ fullName }) => fullName,
    run(repository, number) {
      const run = [...repository.runs.values()].find(({ index }) => index === number)
      return run && { ...run, attempts: [run.status] }
    },
    issue: ({ issues }, number) => issues.get(number),
    noSuchPage,
  })
}
