import type { ChatMessage } from './chat-message.ts'

/** Describes a channel of a workspace. */
export interface ChatChannel {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isMember: boolean
  readonly isArchived: boolean
  /** Says in a few words what keeps messages out of it, where the other fields do not. Default: nothing. */
  readonly obstacle?: string
  /** Says in a few words that messages get to it, where the bot need not be in it for that. Default: nothing. */
  readonly reach?: string
}

/** Names a message by its channel and its id there. */
export interface ChatReference {
  readonly channelId: string
  readonly messageId: string
  /** Holds what else the chat needs to find the message again. Nobody but its provider reads it. Left out: nothing. */
  readonly tag?: string | undefined
}

/** Lists what the engine of notifications may count on. */
export interface ChatCapabilities {
  readonly update: boolean
  /**
   * Says how long after the first post a second one with the same key may still be sent, in milliseconds, to be the first message
   * again. `0`: the chat takes no key. `Infinity`: no end is known. Stay below what the chat says by what a call may take.
   */
  readonly repeatMs: number
  readonly threads: boolean
}

/** Says where a message is posted to, and under which key. */
export interface ChatPost {
  readonly channelId: string
  /** Names the message when it is posted again, and when it is looked for. A UUID. */
  readonly key: string
  /** The message to answer to. Left out: it stands by itself. */
  readonly thread?: ChatReference | undefined
  /** True when an answer in a thread is shown to the whole channel as well. Default: no. */
  readonly broadcast?: boolean
}

/** Limits calls: `burst` of them at once, and then one each interval. */
export interface RateBudget {
  /** Example: `channel:C0123`. */
  readonly resource: string
  readonly intervalMs: number
  readonly burst: number
}

/** Names a post that may have arrived. */
export interface ChatLookup {
  readonly channelId: string
  /** The key that it was posted with. */
  readonly key: string
  /** When it was first posted: the message is not older. */
  readonly since: Date
  /** The message that it answers. Left out: it stands by itself. */
  readonly thread?: ChatReference | undefined
  /** True when the answer is shown to the whole channel as well. Default: no. */
  readonly broadcast?: boolean
}

/** Names a call as far as limits of the provider go. */
export interface ChatCall {
  readonly type: 'post' | 'update' | 'find'
  readonly channelId: string
}

/**
 * Sends messages to one workspace. Each call is one request: only the caller knows what may be repeated.
 *
 * @throws {ProviderError} `ambiguous` when the message may have arrived.
 */
export interface ChatSender {
  readonly capabilities: ChatCapabilities
  /** Returns the budgets that a call counts against, always in the same order. */
  budgetsOf(call: ChatCall): readonly RateBudget[]
  post(message: ChatMessage, to: ChatPost): Promise<ChatReference>
  /** Replaces what a message says. Safe to repeat. */
  update(reference: ChatReference, message: ChatMessage): Promise<void>
  /**
   * Finds the message of a post whose outcome is not known and that may not be sent again; `undefined`: it is not there.
   * Left out: the chat cannot be asked, and such a message waits for a person.
   */
  find?(of: ChatLookup): Promise<ChatReference | undefined>
  /** Where people read a message. Left out: the provider has no such address. */
  findUrl?(reference: ChatReference): Promise<string>
  /** Enters a public channel, where the provider asks for it before the first message. */
  join?(channelId: string): Promise<void>
}

/** Names a change of a channel. `left`: the bot is not in it any more. */
export type ChannelChange = 'renamed' | 'archived' | 'unarchived' | 'deleted' | 'left'

/** Describes one thing that a chat workspace tells us. */
export type ChatEvent =
  /** The application is gone from the workspace, and every token with it. */
  | { readonly type: 'uninstalled' }
  | { readonly type: 'tokensRevoked' }
  | {
      readonly type: 'channel'
      readonly change: ChannelChange
      readonly channelId: string
      /** The new name, where the event tells it. */
      readonly name: string | null
    }
  /** From now on it is called at this address. It need not be the one of before, so each event that names one tells it. */
  | { readonly type: 'address'; readonly url: string }
  /** Nothing of ours. `reason` is shown to people. */
  | { readonly type: 'ignored'; readonly reason: string }

/** Says how a message to a channel would fare. */
export interface ChannelCheck {
  /** `null`: the channel is not there, or hidden from us. */
  readonly name: string | null
  /** The code that a message would be refused with; `null`: it would arrive. */
  readonly refusedWith: string | null
}

/** Says which channels a list can hold, with what was granted. */
export interface ChannelCoverage {
  /** True when every kind of channel is among them. */
  readonly isWhole: boolean
  /** Tells people why channels may be missing, and what to do about it: one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Answers questions about one workspace.
 *
 * @throws {ProviderError} from each.
 */
export interface ChatDirectory {
  readonly coverage: ChannelCoverage
  /** Public channels, and the private ones that the bot is in. The order is the provider's. */
  listChannels(of: { readonly page: string | undefined; readonly limit: number }): Promise<{
    readonly channels: readonly ChatChannel[]
    readonly nextPage: string | undefined
  }>
  /** `undefined`: it is not there, or hidden from us. */
  findChannel(channelId: string): Promise<ChatChannel | undefined>
  checkChannel(channelId: string): Promise<ChannelCheck>
  /** Asks whether our access is good. Needs no scope and changes nothing. */
  checkAccess(): Promise<void>
}
