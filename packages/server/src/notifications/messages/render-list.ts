import type { MessageSection, MessageText } from '../../providers/chat/chat-message.ts'

/** Limits a list: to how many lines, and to which share of a message. */
export interface ListLimit {
  readonly lines: number
  readonly share: number
}

/** Holds a list as it is. */
interface List {
  readonly title?: MessageText
  readonly lines: readonly MessageText[]
  /** Counts what is not even in `lines`. Default 0. */
  readonly hidden?: number
  /** Leads to the whole list. */
  readonly moreUrl: string | null
}

/** Returns a list with as many lines as its limit allows; no section where there is nothing to show. */
export function renderList(limit: ListLimit, list: List): readonly MessageSection[] {
  const { title = null, hidden = 0, moreUrl } = list
  if (list.lines.length === 0 && title === null) return []
  const lines = list.lines.slice(0, limit.lines)
  const dropped = list.lines.length - lines.length
  return [{ title, lines, hidden: dropped + hidden, moreUrl, share: limit.share }]
}
