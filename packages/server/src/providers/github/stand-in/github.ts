import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { createAuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { Mount } from '../../../../../sandbox/src/http/provider.ts'
import type { PlayedProvider } from '../../../../../sandbox/src/models/stand-in.ts'
import type { GithubParts } from './parts.ts'
import { createAccessTokenRoutes } from './access-token-routes.ts'
import { createActivity, type GithubActivity } from './activity.ts'
import { createApiMiddleware } from './api-middleware.ts'
import { createAppRoutes } from './app-routes.ts'
import { createApplicationRoutes } from './routes/application-routes.ts'
import { createCodeHost, type GithubCodeHost } from './create-code-host.ts'
import { createGraphqlRoute } from './graphql/create-graphql-route.ts'
import { createHookRoutes } from './hook-routes.ts'
import { createHooks, type Hooks } from './hooks/create-hooks.ts'
import { createIdentify, type Identify } from './access/identify.ts'
import { createInstallations, type Installations } from './installations.ts'
import {
  createIssuerRoutes,
  issuePipelineToken,
  type IdentityRequest,
} from './pipeline-identity.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { notFound, notAccessible } from './errors.ts'
import { createRepositoryRoutes } from './repository-routes.ts'
import { createSeedCredentials, seedAccounts } from './seed.ts'
import {
  createGithubState,
  findAccount,
  findRepository,
  type GithubApp,
  type GithubInstallation,
  type GithubState,
  type GithubRepository,
} from './state.ts'
import { createGithubTokens, type GithubTokens, type UserGrant } from './access/token-store.ts'
import { createUserRoutes } from './user-routes.ts'
import { createAuthorizeRoutes } from './web/authorize-routes.ts'
import { createInstallRoutes, visitorOf } from './web/install-routes.ts'
import { createManifestFlow } from './web/manifest-routes.ts'
import { noSuchPage } from './web/notice-page.ts'
import { createRepositoryPages } from './web/repository-pages.ts'
import { createSettingsRoutes } from './web/settings-routes.ts'
import { createTokenRoute } from './web/token-route.ts'
import type { AuthorizedRequest, AuthorizeForRepository, GithubCaller } from './authorize.ts'
import { permissionsIn } from './access/reach.ts'

/** Describes the pretended GitHub. */
export interface Github extends PlayedProvider {
  readonly name: 'github'
  readonly state: GithubState
  /** Holds the app that stands for the product: `signalbox-sandbox`. Its registration survives a reset. */
  readonly app: GithubApp
  readonly tokens: GithubTokens
  readonly hooks: Hooks
  readonly rateLimits: RateLimits
  readonly installations: Installations
  /** Performs the actions of people and machines. */
  readonly activity: GithubActivity
  /** Pushes, deploys and tests for the stage. */
  readonly codeHost: GithubCodeHost
  /**
   * Installs the app on an account, as its owner would by the page.
   *
   * @throws {RangeError} There is no such account or repository.
   */
  install(on: InstallOn): GithubInstallation
  /** Returns the OIDC token of a job of a run. */
  issuePipelineToken(of: Omit<IdentityRequest, 'state'>): string
}

/** Describes where the app is installed: the account, and which of its repositories. */
export interface InstallOn {
  /** Example: `acme`. */
  readonly account: string
  /** Names of repositories, such as `['shop']`. Default all. */
  readonly repositories?: 'all' | readonly string[]
}

/** Creates GitHub with its seeded accounts and the app. Addresses in webhooks are right as soon as the sandbox listens. */
export function createGithub({ clock }: { readonly clock: Clock }): Github {
  const state = createGithubState(clock)
  const tokens = createGithubTokens(clock)
  const codes = createAuthorizationCodes<UserGrant>(clock)
  const limits = createRateLimits(clock)
  const hooks = createHooks(state)
  const { emit } = hooks
  const installations = createInstallations({ state, tokens, emit })
  const manifests = createManifestFlow({ state, emit })
  const credentials = createSeedCredentials()
  let app = seedAccounts(state, credentials)
  const activity = createActivity({ state, emit })
  const parts = { state, tokens, codes, limits, hooks, installations }
  return {
    name: 'github',
    state,
    get app() {
      return app
    },
    tokens,
    hooks,
    rateLimits: limits,
    installations,
    activity,
    codeHost: createCodeHost({ state, activity, hooks, app: () => app }),
    listenAt: (origin) => void (state.origin = origin),
    expireTokens: () => tokens.expireAll(),
    skipId: () => void state.nextId(),
    install: (on) => installOn(state, installations, { ...on, app }),
    issuePipelineToken: (of) => issuePipelineToken({ ...of, state }),
    mounts: [
      {
        prefix: '/github',
        routes: [...webRoutes(parts), ...manifests.webRoutes],
        unknown: noSuchPage,
      },
      apiMount(parts, manifests.apiRoutes),
    ],
    reset() {
      const registered = settingsOf(app)
      clearState(state)
      for (const part of [tokens, codes, limits, hooks, manifests]) part.reset()
      app = Object.assign(seedAccounts(state, credentials), registered)
    },
  }
}

type WebParts = Omit<GithubParts, 'emit' | 'identify' | 'authorize' | 'activity'>

function webRoutes(parts: WebParts): Mount['routes'] {
  return [
    ...createAuthorizeRoutes(parts),
    createTokenRoute(parts),
    ...createInstallRoutes(parts),
    ...createSettingsRoutes(parts),
    ...createIssuerRoutes(parts.state),
    ...createRepositoryPages(parts.state),
  ]
}

function apiMount(parts: WebParts, more: Mount['routes']): Mount {
  const identify = createIdentify(parts)
  const middleware = createApiMiddleware({ identify, limits: parts.limits })
  const routes = [
    ...createAppRoutes({ ...parts, identify }),
    ...createAccessTokenRoutes({ ...parts, identify }),
    ...createUserRoutes({ ...parts, identify }),
    createGraphqlRoute({ ...parts, identify }),
    ...createApplicationRoutes(parts),
    ...createHookRoutes({ ...parts, identify }),
    ...createRepositoryRoutes({
      state: parts.state,
      authorize: createAuthorize({ ...parts, identify }),
      emit: parts.hooks.emit,
    }),
    ...more,
  ]
  return {
    prefix: '/github/api',
    routes: routes.map((route) => middleware.wrap(route)),
    unknown: (request) => middleware.dress(request, notFound()),
  }
}

function installOn(
  state: GithubState,
  installations: Installations,
  { app, account: login, repositories = 'all' }: InstallOn & { readonly app: GithubApp },
): GithubInstallation {
  const account = findAccount(state, login)
  if (account === undefined) throw new RangeError(`There is no account ${login}.`)
  const chosen =
    repositories === 'all'
      ? 'all'
      : new Set(repositories.map((name) => idOf(state, account.login, name)))
  const by = visitorOf(state, account)
  return installations.install({ app, account, repositories: chosen, by })
}

function idOf(state: GithubState, owner: string, name: string): number {
  const repository = findRepository(state, owner, name)
  if (repository === undefined) throw new RangeError(`There is no repository ${owner}/${name}.`)
  return repository.id
}

/** Returns the settings that the owner has made on the page of the app. */
function settingsOf(app: GithubApp) {
  const { callbackUrls, setupUrl, requestsUserOnInstall, redirectsOnUpdate } = app
  const { webhookUrl, webhookSecret, webhookContentType } = app
  const page = { callbackUrls, setupUrl, requestsUserOnInstall, redirectsOnUpdate }
  return { ...page, webhookUrl, webhookSecret, webhookContentType }
}

function clearState(state: GithubState): void {
  const { accounts, owners, apps, installations, repositories, formerNames } = state
  for (const part of [accounts, owners, apps, installations, repositories, formerNames]) {
    part.clear()
  }
}

/**
 * Creates the check of access to repositories. Any token reads a public repository, as on GitHub. A private one that
 * the caller cannot access is not found.
 */
function createAuthorize(deps: {
  readonly state: GithubState
  readonly identify: Identify
}): AuthorizeForRepository {
  const { state, identify } = deps
  return (request, permission) => {
    const identified = identify(request)
    if ('refused' in identified) return identified
    const { caller } = identified
    if (caller.kind === 'app') return { refused: notAccessible() }
    const { owner = '', repo = '' } = request.params
    const repository = findRepository(state, owner, repo)
    if (repository === undefined) return { refused: notFound() }
    return judge(state, { caller, repository }, permission)
  }
}

function judge(
  state: GithubState,
  request: { readonly caller: GithubCaller; readonly repository: GithubRepository },
  [name, access]: Parameters<AuthorizeForRepository>[1],
): AuthorizedRequest {
  const { caller, repository } = request
  if (access === 'read' && !repository.private) return request
  const permissions = permissionsIn(state, caller, repository)
  if (permissions === undefined) {
    return { refused: repository.private ? notFound() : notAccessible() }
  }
  const grantedAccess = name === 'metadata' ? (permissions[name] ?? 'read') : permissions[name]
  return grantedAccess === 'write' || grantedAccess === access
    ? request
    : { refused: notAccessible() }
}
