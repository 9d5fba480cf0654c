import type { Answer, SandboxRequest } from '../http/route.ts'
import type { GithubAccount, GithubApp, GithubInstallation, GithubRepository } from './state.ts'

/** Describes whose token a request carries. */
export type GithubCaller =
  | { readonly kind: 'app'; readonly app: GithubApp }
  | {
      readonly kind: 'installation'
      readonly app: GithubApp
      readonly installation: GithubInstallation
      /** Of the token, which may be for less than the installation. */
      readonly repositories: 'all' | ReadonlySet<number>
      readonly permissions: Readonly<Record<string, 'read' | 'write'>>
    }
  | { readonly kind: 'user'; readonly app: GithubApp; readonly account: GithubAccount }

/** Holds the caller and the repository of a request, or the answer that refuses it. */
export type AuthorizedRequest =
  | { readonly caller: GithubCaller; readonly repository: GithubRepository }
  /** 401 bad credentials, 403 not accessible by integration, 404 for what the caller does not reach. */
  | { readonly refused: Answer }

/**
 * Lets a request to `/repos/:owner/:repo/…` through. Permissions are GitHub's, such as `deployments` and `read`.
 * `metadata` is given with every installation.
 */
export type AuthorizeForRepository = (
  request: SandboxRequest,
  permission: readonly [name: string, access: 'read' | 'write'],
) => AuthorizedRequest
