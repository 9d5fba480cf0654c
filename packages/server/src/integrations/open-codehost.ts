import type { CodehostApi } from '../providers/codehost.ts'
import { createAnswerCache } from '../providers/github/answer-cache.ts'
import { createGithubApi } from '../providers/github/api.ts'
import {
  createInstallationTokens,
  type InstallationTokens,
} from '../providers/github/installation-tokens.ts'
import type { GithubApp } from '../providers/github/oauth.ts'
import { createRateBudgets } from '../providers/github/rate-budgets.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { IntegrationHealth } from './health.ts'
import type { Integration, IntegrationAccount } from './integration.ts'
import type { ProviderGate } from './provider-apps.ts'
import { refreshInstallation, type InstallationDeps } from './refresh-installation.ts'
import { notConnected, requireUsable } from './require-usable.ts'
import { findIntegrationRow } from './rows.ts'

export interface OpenCodehostDeps extends InstallationDeps {
  readonly health: IntegrationHealth
}

/**
 * The way to the code host of an organization. One for the process: it shares tokens and what answers have taught.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export type OpenCodehost = (orgId: string) => Promise<CodehostApi>

export function createOpenCodehost(deps: OpenCodehostDeps): OpenCodehost {
  const { gate, health } = deps
  const memory = { answers: createAnswerCache(), budgets: createRateBudgets() }
  const tokensOf = createTokensOfApp(gate)
  return async (orgId) => {
    const integration = await read(deps, orgId)
    const { account } = integration
    const tokens = tokensOf()
    if (account === null || tokens === undefined) throw notConnected()
    const { addresses, egress, now } = gate
    const observe = health.observe(integration)
    const pausedUntil = health.pausedUntil(integration)
    return createGithubApi({
      call: { provider: 'github', egress, now, observe, pausedUntil },
      apiUrl: addresses.githubApi,
      accountId: account.id,
      async token() {
        await requireSame(deps, integration)
        return getToken(deps, { ...integration, account }, tokens)
      },
      forgetToken: () => tokens.forget(account.id),
      memory,
    })
  }
}

function read({ store }: Pick<OpenCodehostDeps, 'store'>, orgId: string): Promise<Integration> {
  return store.transaction({ orgId }, async (tx) =>
    requireUsable(await findIntegrationRow(tx, { orgId, kind: 'codehost' })),
  )
}

/**
 * Before each call, since a token outlives the connection in the memory of every node, and work of many calls its beginning.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
async function requireSame(deps: OpenCodehostDeps, opened: Integration): Promise<void> {
  const { id, account } = await read(deps, opened.orgId)
  if (id !== opened.id || account?.id !== opened.account?.id) throw notConnected()
}

/** The tokens of the App that this server has at the moment. Those of another App end with it. */
function createTokensOfApp(gate: ProviderGate): () => InstallationTokens | undefined {
  let held: { readonly app: GithubApp; readonly tokens: InstallationTokens } | undefined
  return () => {
    const app = gate.apps().github
    if (app === undefined) return undefined
    if (held === undefined || !isSame(held.app, app)) {
      const { addresses, egress, now } = gate
      const call = { provider: 'github', egress, now } as const
      const tokens = createInstallationTokens({ call, apiUrl: addresses.githubApi, app })
      held = { app, tokens }
    }
    return held.tokens
  }
}

function isSame(one: GithubApp, other: GithubApp): boolean {
  return one.appId === other.appId && one.privateKey === other.privateKey
}

/** A token; where there is none because of the installation, its integration learns that. @throws {ProviderError} */
async function getToken(
  deps: OpenCodehostDeps,
  integration: Integration & { readonly account: IntegrationAccount },
  tokens: InstallationTokens,
): Promise<string> {
  try {
    return await tokens.get(integration.account.id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.health.observe(integration)(error)
    const isRefused = error.failure === 'notFound' || error.failure === 'forbidden'
    if (!isRefused) throw error
    // Nobody at GitHub has told us that it is gone, so what was chosen for it is kept.
    const state = await refreshInstallation(deps, integration, 'reauth_required')
    if (state === 'reauth_required') throw refused('unauthorized', 'uninstalled', error)
    throw state === 'suspended' ? refused('forbidden', 'suspended', error) : error
  }
}

function refused(failure: 'unauthorized' | 'forbidden', code: string, cause: Error): ProviderError {
  return new ProviderError({ provider: 'github', failure, code }, { cause })
}
