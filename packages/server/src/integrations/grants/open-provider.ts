import type { IntegrationKind } from '@signalbox/contract/rest'
import type { ChatDirectory, ChatSender } from '../../providers/chat/chat.ts'
import type { CodehostApi } from '../../providers/codehost.ts'
import type { Connection } from '../../providers/connection.ts'
import type { ContextOf } from '../../providers/context.ts'
import { providersOfKind } from '../../providers/find-provider.ts'
import type { TrackerApi } from '../../providers/tracker.ts'
import { notConnected } from '../health/require-usable.ts'
import { openConnection, type OpenConnectionDeps } from './open-connection.ts'

/** Lists what opening a provider needs. */
export interface OpenProviderDeps extends OpenConnectionDeps {
  readonly contextOf: ContextOf
}

/**
 * Opens the provider of a kind that an organization has connected. One per process: its calls share tokens, cached answers and rate budgets.
 * The calls throw `Problem` too when the access has ended: `reauth_required`, `integration_not_connected`.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export type OpenProvider<Api> = (orgId: string) => Promise<Api>

/** Opens the code host of an organization. */
export type OpenCodehost = OpenProvider<CodehostApi>
/** Opens the tracker of an organization. */
export type OpenTracker = OpenProvider<TrackerApi>
/** Opens the chat of an organization. */
export type OpenChat = OpenProvider<ChatSender & ChatDirectory>

/** Creates what opens the code host of an organization. */
export function createOpenCodehost(deps: OpenProviderDeps): OpenCodehost {
  return createOpenProvider(deps, 'codehost', providersOfKind('codehost'))
}

/** Creates what opens the site of the tracker that an organization has chosen. */
export function createOpenTracker(deps: OpenProviderDeps): OpenTracker {
  return createOpenProvider(deps, 'tracker', providersOfKind('tracker'))
}

/** Creates what opens the workspace that an organization has connected. */
export function createOpenChat(deps: OpenProviderDeps): OpenChat {
  return createOpenProvider(deps, 'chat', providersOfKind('chat'))
}

interface Callable<Api> {
  readonly name: string
  readonly openCalls: (
    context: ReturnType<ContextOf>,
  ) => (connection: Connection) => Api | undefined
}

function createOpenProvider<Api>(
  deps: OpenProviderDeps,
  kind: IntegrationKind,
  providers: readonly Callable<Api>[],
): OpenProvider<Api> {
  const calls = new Map(
    providers.map(({ name, openCalls }) => [name, openCalls(deps.contextOf(name))] as const),
  )
  return async (orgId) => {
    const { provider, connection } = await openConnection(deps, orgId, kind)
    const api = calls.get(provider)?.(connection)
    if (api === undefined) throw notConnected()
    return api
  }
}
