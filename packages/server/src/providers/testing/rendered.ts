import type { ChatMessage } from '../chat/chat-message.ts'

/** Describes a rendered message as a client of the chat shows it. */
export interface Rendered {
  /** Counts people, groups and channels that are mentioned. */
  readonly mentions: number
  /** Lists where links lead, in their order. */
  readonly links: readonly string[]
  /** Counts what is emphasized, code, a heading, a quotation or a list. */
  readonly styles: number
  readonly lines: number
  /** Says what is longer than the chat takes. */
  readonly tooLong: readonly string[]
  /** Holds everything that is shown, without markup. */
  readonly text: string
}

/** Renders a message for one chat, and reads it as its clients do. Each provider has one in its folder of tests. */
export type ReadRendered = (message: ChatMessage) => Rendered
