import { Problem } from '@signalbox/contract'
import type { ChatDirectory, ChatReference, ChatSender } from '../../providers/chat.ts'
import { providersOfKind } from '../../providers/find-provider.ts'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'
import type { Tx } from '../../store/store.ts'
import type { Integration } from '../integration.ts'
import type { OpenChat } from './open-provider.ts'
import { findIntegrationRow } from '../rows.ts'
import { chatSettings } from '../settings-of-kind.ts'

type Chat = ChatSender & ChatDirectory

/** The connected workspace of an organization, as those who send see it. */
export interface ChatConnection {
  readonly integrationId: string
  readonly provider: Integration['provider']
  readonly state: Integration['state']
  readonly defaultChannelId: string | null
}

/** The way to an organization's workspace for work that nobody waits for: every failure is a `ProviderError`. */
export interface ChatAccess {
  /** `undefined`: nothing is connected. */
  findConnection(tx: Tx, orgId: string): Promise<ChatConnection | undefined>
  /** Calls out where credentials have to be renewed: never inside of a transaction. @throws {ProviderError} */
  open(orgId: string): Promise<Chat>
}

export function createChatAccess({ openChat }: { readonly openChat: OpenChat }): ChatAccess {
  return {
    async findConnection(tx, orgId) {
      const integration = await findIntegrationRow(tx, { orgId, kind: 'chat' })
      if (integration === undefined || isGone(integration)) return undefined
      const { id: integrationId, provider, state, settings } = integration
      const { defaultChannelId } = chatSettings.parse(settings)
      return { integrationId, provider, state, defaultChannelId }
    },
    open: (orgId) => withProviderErrors(async () => guard(await openChat(orgId))),
  }
}

function isGone({ state }: Integration): boolean {
  return state === 'pending' || state === 'disconnecting' || state === 'disconnected'
}

/** A token may end, or somebody may disconnect, between opening and each call. */
function guard(chat: Chat): Chat {
  const join = chat.join?.bind(chat)
  const findUrl = chat.findUrl?.bind(chat)
  return {
    capabilities: chat.capabilities,
    coverage: chat.coverage,
    budgetsOf: (call) => chat.budgetsOf(call),
    post: (message, to) => withProviderErrors(() => chat.post(message, to)),
    update: (reference, message) => withProviderErrors(() => chat.update(reference, message)),
    ...(findUrl !== undefined && {
      findUrl: (reference: ChatReference) => withProviderErrors(() => findUrl(reference)),
    }),
    ...(join !== undefined && {
      join: (channelId: string) => withProviderErrors(() => join(channelId)),
    }),
    listChannels: (of) => withProviderErrors(() => chat.listChannels(of)),
    findChannel: (channelId) => withProviderErrors(() => chat.findChannel(channelId)),
    checkChannel: (channelId) => withProviderErrors(() => chat.checkChannel(channelId)),
    checkAccess: () => withProviderErrors(() => chat.checkAccess()),
  }
}

/** What people are told of the way to a provider, as what it means for a call: nothing was sent. */
const failures = new Map<string, ProviderFailure>([
  ['integration_not_connected', 'unauthorized'],
  ['reauth_required', 'unauthorized'],
  ['provider_error', 'unavailable'],
])

async function withProviderErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const failure = error instanceof Problem ? failures.get(error.code) : undefined
    if (failure === undefined || !(error instanceof Problem)) throw error
    // The problem does not name it, and an organization has one chat.
    const provider = providersOfKind('chat')[0]?.name ?? 'chat'
    throw new ProviderError({ provider, failure, code: error.code }, { cause: error })
  }
}
