import { botLoginOf } from './create-app.ts'
import type { EmitGithubEvent } from './emit.ts'
import { covers } from './access/reach.ts'
import { addressesOf } from './shapes/addresses.ts'
import { toInstallation, toInstalledRepository } from './shapes/installation.ts'
import { toSimpleUser } from './shapes/simple-user.ts'
import type {
  GithubAccount,
  GithubApp,
  GithubInstallation,
  GithubRepository,
  GithubState,
} from './state.ts'
import type { GithubTokens } from './access/token-store.ts'
import type { components } from '@octokit/openapi-webhooks-types'

type Schemas = components['schemas']
type Selection = GithubInstallation['repositories']

/** Describes an installation: the app, the account, the repositories, and the person. */
export interface Install {
  readonly app: GithubApp
  readonly account: GithubAccount
  readonly repositories: Selection
  readonly by: GithubAccount
}

/** Describes the changes of installations. Each sends a webhook. `by` is the person, or the app itself. */
export interface Installations {
  /** Installs an app once for each account. An existing installation gets the new selection of repositories. */
  install(install: Install): GithubInstallation
  /** Uninstalls an app. Its tokens are revoked at once. */
  uninstall(installation: GithubInstallation, by?: GithubAccount): void
  suspend(installation: GithubInstallation, by?: GithubAccount): void
  unsuspend(installation: GithubInstallation, by?: GithubAccount): void
  /** Changes the selection of repositories. */
  select(installation: GithubInstallation, repositories: Selection, by?: GithubAccount): void
  /** Revokes a user's authorization of the app. Installations stay. */
  revokeAuthorization(app: GithubApp, user: GithubAccount): void
}

interface Deps {
  readonly state: GithubState
  readonly tokens: GithubTokens
  readonly emit: EmitGithubEvent
}

/** Creates the changes of installations, with their webhooks. */
export function createInstallations(deps: Deps): Installations {
  const { state, tokens } = deps
  const installations: Installations = {
    install: (install) => createInstallation(deps, installations, install),
    uninstall(installation, by) {
      emitEvent(deps, installation, { action: 'deleted', by })
      state.installations.delete(installation.id)
    },
    suspend(installation, by) {
      installation.suspendedAt = installation.updatedAt = state.clock.now()
      emitEvent(deps, installation, { action: 'suspend', by })
    },
    unsuspend(installation, by) {
      installation.suspendedAt = undefined
      installation.updatedAt = state.clock.now()
      emitEvent(deps, installation, { action: 'unsuspend', by })
    },
    select(installation, repositories, by) {
      const before = repositoriesOf(state, installation)
      installation.repositories = repositories
      installation.updatedAt = state.clock.now()
      emitSelection(deps, installation, { before, by })
    },
    revokeAuthorization(app, user) {
      tokens.ofUsers.revoke(
        ({ grant: { appId, login } }) => appId === app.id && login === user.login,
      )
      const sender = toSimpleUser(addressesOf(state), user)
      const payload = {
        action: 'revoked',
        sender,
      } satisfies Schemas['webhook-github-app-authorization-revoked']
      deps.emit({ name: 'github_app_authorization', action: 'revoked', appId: app.id, payload })
    },
  }
  return installations
}

/** Returns the repositories that an installation covers, oldest first. */
export function repositoriesOf(
  { repositories }: GithubState,
  installation: GithubInstallation,
): readonly GithubRepository[] {
  return [...repositories.values()].filter((repository) => covers(installation, repository))
}

function createInstallation(
  deps: Deps,
  installations: Installations,
  { app, account, repositories, by }: Install,
): GithubInstallation {
  const { state } = deps
  const existing = [...state.installations.values()].find(
    (one) => one.appId === app.id && one.account.id === account.id,
  )
  if (existing !== undefined) {
    installations.select(existing, repositories, by)
    return existing
  }
  const now = state.clock.now()
  const installation: GithubInstallation = {
    id: state.nextId(),
    appId: app.id,
    account,
    repositories,
    permissions: app.permissions,
    createdAt: now,
    updatedAt: now,
    suspendedAt: undefined,
  }
  state.installations.set(installation.id, installation)
  emitEvent(deps, installation, { action: 'created', by })
  return installation
}

interface InstallationEvent {
  readonly action: 'created' | 'deleted' | 'suspend' | 'unsuspend'
  readonly by: GithubAccount | undefined
}

function emitEvent(
  deps: Deps,
  installation: GithubInstallation,
  { action, by }: InstallationEvent,
): void {
  const { state, emit } = deps
  const app = state.apps.get(installation.appId)
  if (app === undefined) return
  const repositories = repositoriesOf(state, installation).map(toInstalledRepository)
  const body = {
    installation: toInstallation(state, app, installation),
    repositories,
    sender: senderOf(state, app, by),
  }
  const payload =
    action === 'created'
      ? ({ action, ...body, requester: null } satisfies Schemas['webhook-installation-created'])
      : ({ action, ...body } satisfies
          | Schemas['webhook-installation-deleted']
          | Schemas['webhook-installation-suspend']
          | Schemas['webhook-installation-unsuspend'])
  emit({ name: 'installation', action, appId: app.id, installationId: installation.id, payload })
}

interface Selected {
  readonly before: readonly GithubRepository[]
  readonly by: GithubAccount | undefined
}

function emitSelection(
  { state, emit }: Deps,
  installation: GithubInstallation,
  { before, by }: Selected,
): void {
  const app = state.apps.get(installation.appId)
  if (app === undefined) return
  const after = repositoriesOf(state, installation)
  const body = {
    installation: toInstallation(state, app, installation),
    repository_selection: installation.repositories === 'all' ? 'all' : 'selected',
    requester: null,
    sender: senderOf(state, app, by),
  } as const
  const about = {
    name: 'installation_repositories',
    appId: app.id,
    installationId: installation.id,
  } as const
  const added = after.filter((one) => !before.includes(one)).map(toInstalledRepository)
  if (added.length > 0) {
    const payload = {
      action: 'added',
      ...body,
      repositories_added: added,
      repositories_removed: [],
    } satisfies Schemas['webhook-installation-repositories-added']
    emit({ ...about, action: 'added', payload })
  }
  const removed = before.filter((one) => !after.includes(one)).map(toInstalledRepository)
  if (removed.length === 0) return
  const payload = {
    action: 'removed',
    ...body,
    repositories_added: [],
    repositories_removed: removed,
  } satisfies Schemas['webhook-installation-repositories-removed']
  emit({ ...about, action: 'removed', payload })
}

function senderOf(state: GithubState, app: GithubApp, by: GithubAccount | undefined) {
  const sender = by ?? state.accounts.get(botLoginOf(app)) ?? app.owner
  return toSimpleUser(addressesOf(state), sender)
}
