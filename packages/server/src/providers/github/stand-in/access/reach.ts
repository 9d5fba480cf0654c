import type { GithubCaller } from '../authorize.ts'
import type { GithubAccount, GithubInstallation, GithubRepository, GithubState } from '../state.ts'

/** Returns whether an installation covers a repository. */
export function covers(installation: GithubInstallation, repository: GithubRepository): boolean {
  const { account, repositories } = installation
  return (
    account.id === repository.owner.id &&
    (repositories === 'all' || repositories.has(repository.id))
  )
}

/** Returns whether a user owns an account: it is theirs, or an organization of theirs. */
export function owns(state: GithubState, user: GithubAccount, account: GithubAccount): boolean {
  return user.id === account.id || state.owners.get(account.login)?.has(user.login) === true
}

/** Returns the permissions of a caller in a repository. `undefined`: the caller cannot access it. */
export function permissionsIn(
  state: GithubState,
  caller: GithubCaller,
  repository: GithubRepository,
): Readonly<Record<string, 'read' | 'write'>> | undefined {
  switch (caller.kind) {
    case 'app':
      return undefined
    case 'installation': {
      const { installation, repositories, permissions } = caller
      const isMeant = repositories === 'all' || repositories.has(repository.id)
      return isMeant && covers(installation, repository) ? permissions : undefined
    }
    case 'user': {
      // A user's token reaches only repositories that both the user and the app reach.
      if (!owns(state, caller.account, repository.owner)) return undefined
      const installation = [...state.installations.values()].find(
        (one) =>
          one.appId === caller.app.id && one.suspendedAt === undefined && covers(one, repository),
      )
      return installation?.permissions
    }
  }
}
