import type { CodehostApi } from '../codehost.ts'
import type { Connection } from '../connection.ts'
import { valueOf, type ProviderContext } from '../context.ts'
import { ProviderError } from '../provider-error.ts'
import { createGithubRequests, type GithubApiOptions, type GithubRequests } from './api-request.ts'
import { createAnswerCache } from './answer-cache.ts'
import { createGithubApi } from './api.ts'
import { toGithubApp, type GithubApp } from './application.ts'
import { createInstallationTokens, type InstallationTokens } from './installation-tokens.ts'
import { createRateBudgets } from './rate-budgets.ts'

/** Opens the calls to GitHub for every installation, which share tokens, cached answers and rate budgets. */
export function openGithubCalls(
  context: ProviderContext,
): (connection: Connection) => CodehostApi | undefined {
  const optionsOf = openOptions(context)
  return (connection) => {
    const options = optionsOf(connection)
    return options && createGithubApi({ ...options, scopes: connection.scopes })
  }
}

/** Opens bare requests to GitHub for every installation. */
export function openGithubRequests(
  context: ProviderContext,
): (connection: Connection) => GithubRequests | undefined {
  const optionsOf = openOptions(context)
  return (connection) => {
    const options = optionsOf(connection)
    return options && createGithubRequests(options)
  }
}

function openOptions(
  context: ProviderContext,
): (connection: Connection) => GithubApiOptions | undefined {
  const memory = { answers: createAnswerCache(), budgets: createRateBudgets() }
  const tokensOf = createTokensOfApp(context)
  return (connection) => {
    const { account, call } = connection
    const tokens = tokensOf()
    if (tokens === undefined) return undefined
    return {
      call,
      apiUrl: valueOf(context.addresses, 'api'),
      accountId: account.id,
      async token() {
        // A token outlives the connection in the memory of every node, and work of many calls its beginning.
        await connection.requireConnected()
        return getToken(connection, tokens)
      },
      forgetToken: (refused) => tokens.forget(account.id, refused),
      memory,
    }
  }
}

/** Keeps the tokens of the App that this server has at the moment. Those of another App end with it. */
function createTokensOfApp(context: ProviderContext): () => InstallationTokens | undefined {
  let current: { readonly app: GithubApp; readonly tokens: InstallationTokens } | undefined
  return () => {
    const application = context.application()
    if (application === undefined) return undefined
    const app = toGithubApp(application)
    if (current === undefined || !isSame(current.app, app)) {
      const { addresses, egress, now } = context
      const call = { provider: 'github', egress, now }
      const tokens = createInstallationTokens({ call, apiUrl: valueOf(addresses, 'api'), app })
      current = { app, tokens }
    }
    return current.tokens
  }
}

function isSame(one: GithubApp, other: GithubApp): boolean {
  return one.appId === other.appId && one.privateKey === other.privateKey
}

/** A token; where there is none because of the installation, its integration learns that. @throws {ProviderError} */
async function getToken(
  { account, call, refreshAccess }: Connection,
  tokens: InstallationTokens,
): Promise<string> {
  try {
    return await tokens.get(account.id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    call.observe?.(error)
    const isRefused = error.failure === 'notFound' || error.failure === 'forbidden'
    if (!isRefused) throw error
    const access = await refreshAccess()
    if (access === 'ended') throw refused('unauthorized', 'uninstalled', error)
    throw access === 'suspended' ? refused('forbidden', 'suspended', error) : error
  }
}

function refused(failure: 'unauthorized' | 'forbidden', code: string, cause: Error): ProviderError {
  return new ProviderError({ provider: 'github', failure, code }, { cause })
}
