import type { TargetCalls } from '../../providers/target.ts'
import { destinations, findProvider } from '../../providers/find-provider.ts'
import { notConnected } from '../health/require-usable.ts'
import { openConnection } from './open-connection.ts'
import type { OpenProviderDeps } from './open-provider.ts'

/** Names a provider that values are written to, and what reaches it. */
export interface OpenedTarget {
  readonly orgId: string
  readonly provider: string
  /** Holds the token that a person entered, for a provider that is not connected. */
  readonly token: string | undefined
}

/**
 * Opens the destinations of a provider for an organization. One per process: its calls share tokens and rate budgets.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export type OpenTarget = (of: OpenedTarget) => Promise<TargetCalls>

/** Creates what opens the destinations of every provider. */
export function createOpenTarget(deps: OpenProviderDeps): OpenTarget {
  const { contextOf } = deps
  const openers = new Map(
    destinations.map(({ name, target }) => [name, target.openCalls(contextOf(name))] as const),
  )
  return async ({ orgId, provider, token }) => {
    const open = openers.get(provider)
    const kind = findProvider(provider)?.kind
    if (kind === undefined) {
      const { egress, now } = contextOf(provider)
      const calls =
        token === undefined ? undefined : open?.({ token, call: { provider, egress, now } })
      if (calls === undefined) throw notConnected()
      return calls
    }
    const { provider: connected, connection } = await openConnection(deps, orgId, kind)
    const calls = connected === provider ? open?.({ connection }) : undefined
    if (calls === undefined) throw notConnected()
    return calls
  }
}
