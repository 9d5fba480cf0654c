/** A message as features write it, without the markup, the limits and the colours of any chat. */

/** Lists what a message or a line of it says at one glance: a sign in one chat, a colour in another. */
export type Tone =
  | 'waiting'
  | 'progress'
  | 'success'
  | 'failure'
  | 'replaced'
  | 'reverted'
  | 'warning'
  | 'inactive'
  | 'changed'

/** Shows a tone as a sign. */
interface SignRun {
  readonly type: 'sign'
  readonly tone: Tone
}

/** Holds a text of a person or another system as one line, of which at most `max` characters are shown. */
interface QuoteRun {
  readonly type: 'quote'
  readonly text: string
  readonly max: number
}

/** Holds what people copy, such as a branch or a hash, in the type of code. Empty text shows nothing. */
interface CodeRun {
  readonly type: 'code'
  readonly text: string
  readonly max: number
}

interface StrongRun {
  readonly type: 'strong'
  readonly text: MessageText
}

/** Shows its text alone where the address is `null` or none that a browser opens. */
interface LinkRun {
  readonly type: 'link'
  readonly url: string | null
  readonly text: MessageText
}

/**
 * Holds a piece of text. A string is our own wording. The provider ensures that the text of a run mentions no person, links
 * nowhere and formats nothing: only its type does.
 */
export type TextRun = string | SignRun | QuoteRun | CodeRun | StrongRun | LinkRun

/** Holds one line of a message. */
export type MessageText = readonly TextRun[]

/** Holds a list with a title, of which a provider shows as many lines as it has room for. */
export interface MessageSection {
  readonly title: MessageText | null
  readonly lines: readonly MessageText[]
  /** Counts further lines, which are shown as a number. */
  readonly hidden: number
  /** Leads to all lines. */
  readonly moreUrl: string | null
  /** Says how much of what a whole message may hold the list may fill: more than 0, at most 1. */
  readonly share: number
}

/** Describes a message as it is to be. Every provider shows the parts in this order. */
export interface ChatMessage {
  readonly tone: Tone
  /** Says everything in one line: on a phone, to a screen reader, and where nothing more fits. */
  readonly summary: MessageText
  /** Stands large above the rest, with the sign of `tone`; `null`: the facts come first. */
  readonly headline: MessageText | null
  /** Leads to where most readers want to go. */
  readonly links: readonly LinkRun[]
  readonly facts: readonly MessageText[]
  /** Leads to what a reader may do about it. */
  readonly actions: readonly LinkRun[]
  readonly sections: readonly MessageSection[]
  /** Stands below in small type. */
  readonly footer: readonly MessageText[]
}

/** Shows a tone as a sign. */
export function sign(tone: Tone): TextRun {
  return { type: 'sign', tone }
}

/** Quotes a text of a person or another system, in at most `max` characters. */
export function quote(text: string, max: number): QuoteRun {
  return { type: 'quote', text: toLine(text), max }
}

/** Quotes what people copy, in at most `max` characters. */
export function code(text: string, max: number): CodeRun {
  return { type: 'code', text: toLine(text), max }
}

/** Emphasizes a text. */
export function strong(...text: MessageText): TextRun {
  return { type: 'strong', text }
}

/** Links a text to an address. */
export function link(url: string | null, ...text: MessageText): LinkRun {
  return { type: 'link', url, text }
}

/** Puts parts of a line behind each other. */
export function joinTexts(parts: readonly MessageText[], separator: string): MessageText {
  return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]))
}

/**
 * Returns a text as one line without what is not seen: line breaks, control characters, marks that turn the direction of
 * writing.
 */
export function toLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
      // The joiner of emoji is the one invisible character that people need.
      .replaceAll(/(?!\u200d)[\p{Cf}\p{Co}]/gu, '')
      .trim()
  )
}
