import type { Answer, SandboxRequest } from '../../../../../sandbox/src/http/route.ts'
import type { GithubAccount, GithubApp, GithubInstallation, GithubRepository } from './state.ts'

/** Describes the caller of a request. */
export type GithubCaller =
  | { readonly kind: 'app'; readonly app: GithubApp }
  | {
      readonly kind: 'installation'
      readonly app: GithubApp
      readonly installation: GithubInstallation
      /** Holds the permissions of the token, which may be less than the installation's. */
      readonly repositories: 'all' | ReadonlySet<number>
      readonly permissions: Readonly<Record<string, 'read' | 'write'>>
    }
  | { readonly kind: 'user'; readonly app: GithubApp; readonly account: GithubAccount }

/** Holds the caller and the repository of a request, or the answer that refuses it. */
export type AuthorizedRequest =
  | { readonly caller: GithubCaller; readonly repository: GithubRepository }
  /**
   * Holds the rejection: 401 bad credentials, 403 not accessible by integration, 404 for a repository that the caller
   * cannot access.
   */
  | { readonly refused: Answer }

/**
 * Authorizes a request to `/repos/:owner/:repo/…`. Permissions are GitHub's, such as `deployments` and `read`. Every
 * installation has `metadata`.
 */
export type AuthorizeForRepository = (
  request: SandboxRequest,
  permission: readonly [name: string, access: 'read' | 'write'],
) => AuthorizedRequest
