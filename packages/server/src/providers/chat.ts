/** What chat workspaces have in common. */

export interface ChatChannel {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isMember: boolean
  readonly isArchived: boolean
}

/** A message as it is to be: `text` is what a phone's notification shows, `blocks` what the channel shows. */
export interface ChatMessage {
  readonly text: string
  readonly blocks: readonly Readonly<Record<string, unknown>>[]
}

/** Where a message stands. */
export interface ChatReference {
  readonly channelId: string
  readonly messageId: string
}

/** What the engine of notifications may count on. */
export interface ChatCapabilities {
  readonly update: boolean
  /** Whether a second post with the same key is the first message again. */
  readonly idempotencyKey: boolean
  readonly threads: boolean
  readonly textMax: number
  readonly blocksMax: number
}
