import type {
  ChatCapabilities,
  ChatDirectory,
  ChatPost,
  ChatReference,
  ChatSender,
} from '../../providers/chat/chat.ts'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { budgetsOf } from '../../providers/slack/rates.ts'
import { renderMessage, type SlackMessage } from '../../providers/slack/render-message.ts'

export interface FakeMessage {
  readonly channelId: string
  readonly messageId: string
  readonly key: string
  readonly thread: ChatReference | undefined
  readonly broadcast: boolean
  message: SlackMessage
  updates: number
}

export interface FakeChat extends ChatSender, ChatDirectory {
  readonly messages: FakeMessage[]
  /** Throws or not, before and after each call takes effect. */
  fault: (when: 'before' | 'after') => void
  readonly joined: string[]
  /** As it is found by its key. Taken away: it cannot be asked. */
  find?: NonNullable<ChatSender['find']>
}

export const unclear = () =>
  new ProviderError({ provider: 'slack', failure: 'ambiguous', code: 'internal_error' })

export const rejection = (
  code: string,
  failure: ProviderError['failure'] = 'rejected',
  retryAt?: Date,
) => new ProviderError({ provider: 'slack', failure, code, retryAt })

/** Returns what the workspace needs besides the id of a message. */
const tagOf = (id: string | undefined) => id && `tag of ${id}`

/** A workspace in memory, where every id that begins with C is a channel and C0 an archived one, that honours keys, as Slack does: a known key is the message that is there, as it was. A message is found by its tag alone. */
export function createFakeChat(overrides: Partial<ChatCapabilities> = {}): FakeChat {
  const messages: FakeMessage[] = []
  const joined: string[] = []
  const capabilities = {
    update: true,
    repeatMs: Infinity,
    threads: true,
    ...overrides,
  }
  return {
    capabilities,
    budgetsOf,
    coverage: { isWhole: true, notes: [] },
    messages,
    joined,
    fault: () => undefined,
    async post(message: ChatMessage, to: ChatPost) {
      const { channelId, key, thread, broadcast = false } = to
      this.fault('before')
      if (thread?.tag !== tagOf(thread?.messageId)) throw rejection('thread_not_found', 'notFound')
      let known = messages.find((one) => one.key === key && capabilities.repeatMs > 0)
      if (known === undefined) {
        const messageId = String(messages.length + 1)
        known = {
          channelId,
          messageId,
          key,
          thread,
          broadcast,
          message: renderMessage(message),
          updates: 0,
        }
        messages.push(known)
      }
      this.fault('after')
      return Promise.resolve({ channelId, messageId: known.messageId, tag: tagOf(known.messageId) })
    },
    async update({ messageId, tag }, message) {
      this.fault('before')
      const known = messages.find((one) => one.messageId === messageId && tagOf(messageId) === tag)
      if (known === undefined) throw rejection('message_not_found', 'notFound')
      known.message = renderMessage(message)
      known.updates += 1
      this.fault('after')
      return Promise.resolve()
    },
    join(channelId) {
      joined.push(channelId)
      return Promise.resolve()
    },
    listChannels: () => Promise.resolve({ channels: [], nextPage: undefined }),
    findChannel: (id) =>
      Promise.resolve(
        id.startsWith('C')
          ? { id, name: 'deploys', isPrivate: false, isMember: true, isArchived: id === 'C0' }
          : undefined,
      ),
    checkChannel: () => Promise.resolve({ name: 'deploys', refusedWith: null }),
    checkAccess: () => Promise.resolve(),
  }
}
