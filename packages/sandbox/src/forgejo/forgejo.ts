import type { Clock } from '../clock.ts'
import type { Provider } from '../http/provider.ts'
import { createAuthorizationCodes } from '../oauth/authorization-codes.ts'
import { createApi, unknownRoute } from './access.ts'
import { createActivity, type ForgejoActivity } from './activity/create-activity.ts'
import { createCodeHost, type ForgejoCodeHost } from './create-code-host.ts'
import { createHooks, type ForgejoHooks } from './hooks.ts'
import { issueJobToken, issuerRoutes, type ForgejoJob } from './job-identity.ts'
import { createPages, noSuchPage } from './pages.ts'
import { actionRoutes } from './routes/action-routes.ts'
import { authorizeRoutes } from './routes/authorize-routes.ts'
import { hookRoutes } from './routes/hook-routes.ts'
import { issueRoutes } from './routes/issue-routes.ts'
import { repositoryRoutes } from './routes/repository-routes.ts'
import { tokenRoutes } from './routes/token-routes.ts'
import { createApplication, getUser, seedUsers } from './seed.ts'
import {
  createForgejoState,
  defaultSettings,
  type ForgejoApplication,
  type ForgejoSettings,
  type ForgejoState,
} from './state.ts'
import { createTokenStore, type ForgejoGrant } from './tokens.ts'

/** Describes the pretended Forgejo, or Gitea: an instance below a path, as a person may run one. */
export interface Forgejo extends Provider {
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
  const tokens = createTokenStore(clock, state.settings)
  const codes = createAuthorizationCodes<ForgejoGrant>(clock)
  const hooks = createHooks(state)
  const activity = createActivity({ state, hooks })
  const parts = { state, tokens, codes, activity }
  const api = createApi(parts)
  seedUsers(state)
  return {
    name: 'forgejo',
    state,
    app: state.application,
    settings: state.settings,
    hooks,
    activity,
    codeHost: createCodeHost({ state, activity, tokens, hooks }),
    createAccessToken: (login, scopes) => tokens.createAccessToken(getUser(state, login), scopes),
    issueJobToken: (of) => issueJobToken({ ...of, state }),
    expireTokens: () => tokens.expireAll(),
    revokeGrants: () => tokens.revokeGrants(),
    mounts: [
      {
        prefix: forgejoPath,
        routes: [
          ...authorizeRoutes(parts),
          ...tokenRoutes(parts),
          ...issuerRoutes(state),
          ...createPages(state),
        ],
        unknown: noSuchPage,
      },
      {
        prefix: `${forgejoPath}/api/v1`,
        routes: [
          ...repositoryRoutes(parts, api),
          ...hookRoutes(parts, api),
          ...issueRoutes(parts, api),
          ...actionRoutes(parts, api),
        ],
        unknown: unknownRoute,
      },
    ],
    reset() {
      for (const part of [tokens, codes, hooks]) part.reset()
      Object.assign(state.settings, defaultSettings())
      for (const part of [state.repositories, state.users]) part.clear()
      seedUsers(state)
    },
  }
}
