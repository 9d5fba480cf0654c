import type { ChatMessage } from '../chat/chat-message.ts'

/** Describes what the markup of a chat makes of a text. */
export interface ReadText {
  /** Counts people, groups and channels that are mentioned. */
  readonly mentions: number
  /** Lists where links lead, in their order. */
  readonly links: readonly string[]
  /** Counts what is emphasized, code, a heading, a quotation or a list. */
  readonly styles: number
}

/** Describes a rendered message as a client of the chat shows it. */
export interface Rendered extends ReadText {
  readonly lines: number
  /** Says what is longer than the chat takes. */
  readonly tooLong: readonly string[]
  /** Holds everything that is shown, without markup. */
  readonly text: string
}

/** Reads what a chat is sent, as its clients do. Each provider of a chat has one in its folder of tests. */
export interface RenderedReader {
  /** Renders a message and reads it. */
  readonly read: (message: ChatMessage) => Rendered
  /** Reads a line as it is, past the renderer: what it would be if nobody made it harmless. */
  readonly readLine: (line: string) => ReadText
}
