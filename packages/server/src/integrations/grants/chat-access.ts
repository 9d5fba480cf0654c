import { Problem } from '@signalbox/contract'
import type {
  ChatDirectory,
  ChatLookup,
  ChatReference,
  ChatSender,
} from '../../providers/chat/chat.ts'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Integration } from '../integration.ts'
import type { OpenChat } from './open-provider.ts'
import { findIntegrationRow } from '../rows.ts'
import { chatSettings } from '../settings-of-kind.ts'

type Chat = ChatSender & ChatDirectory

/** Describes the connected workspace of an organization, as senders need it. */
export interface ChatConnection {
  readonly integrationId: string
  readonly provider: Integration['provider']
  readonly state: Integration['state']
  readonly defaultChannelId: string | null
}

/** Opens an organization's workspace for background work: every failure is a `ProviderError`. */
export interface ChatAccess {
  /** `undefined`: nothing is connected. */
  findConnection(tx: Tx, orgId: string): Promise<ChatConnection | undefined>
  /** Calls out where credentials have to be renewed: never inside of a transaction. @throws {ProviderError} */
  open(orgId: string): Promise<Chat>
}

/** Maps a problem of opening a provider to the failure of a call: nothing was sent. */
const failures = new Map<string, ProviderFailure>([
  ['integration_not_connected', 'unauthorized'],
  ['reauth_required', 'unauthorized'],
  ['provider_error', 'unavailable'],
])

/** Runs a call, and turns a problem of opening the workspace into a `ProviderError`. */
type WithErrors = <T>(call: () => Promise<T>) => Promise<T>

/** Creates the access to the workspaces of organizations. */
export function createChatAccess({
  openChat,
  store,
}: {
  readonly openChat: OpenChat
  readonly store: Pick<Store, 'transaction'>
}): ChatAccess {
  const createWithErrors = (orgId: string): WithErrors => {
    // An organization has one chat; a problem does not name it.
    const findName = async () => {
      const find = (tx: Tx) => findIntegrationRow(tx, { orgId, kind: 'chat' })
      return (await store.transaction({ orgId }, find))?.provider ?? 'chat'
    }
    return async (call) => {
      try {
        return await call()
      } catch (error) {
        const failure = error instanceof Problem ? failures.get(error.code) : undefined
        if (failure === undefined || !(error instanceof Problem)) throw error
        const { code } = error
        throw new ProviderError({ provider: await findName(), failure, code }, { cause: error })
      }
    }
  }
  return {
    async findConnection(tx, orgId) {
      const integration = await findIntegrationRow(tx, { orgId, kind: 'chat' })
      if (integration === undefined || isGone(integration)) return undefined
      const { id: integrationId, provider, state, settings } = integration
      const { defaultChannelId } = chatSettings.parse(settings)
      return { integrationId, provider, state, defaultChannelId }
    },
    open: (orgId) => {
      const withErrors = createWithErrors(orgId)
      return withErrors(async () => guard(await openChat(orgId), withErrors))
    },
  }
}

function isGone({ state }: Integration): boolean {
  return state === 'pending' || state === 'disconnecting' || state === 'disconnected'
}

/** Wraps each call as well: the token may end, or a person may disconnect, after opening. */
function guard(chat: Chat, withErrors: WithErrors): Chat {
  const join = chat.join?.bind(chat)
  const findUrl = chat.findUrl?.bind(chat)
  const find = chat.find?.bind(chat)
  return {
    capabilities: chat.capabilities,
    coverage: chat.coverage,
    budgetsOf: (call) => chat.budgetsOf(call),
    post: (message, to) => withErrors(() => chat.post(message, to)),
    update: (reference, message) => withErrors(() => chat.update(reference, message)),
    ...(find !== undefined && {
      find: (of: ChatLookup) => withErrors(() => find(of)),
    }),
    ...(findUrl !== undefined && {
      findUrl: (reference: ChatReference) => withErrors(() => findUrl(reference)),
    }),
    ...(join !== undefined && {
      join: (channelId: string) => withErrors(() => join(channelId)),
    }),
    listChannels: (of) => withErrors(() => chat.listChannels(of)),
    findChannel: (channelId) => withErrors(() => chat.findChannel(channelId)),
    checkChannel: (channelId) => withErrors(() => chat.checkChannel(channelId)),
    checkAccess: () => withErrors(() => chat.checkAccess()),
  }
}
