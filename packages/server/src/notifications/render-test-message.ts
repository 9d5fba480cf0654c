import type { ChatMessage } from '../providers/chat.ts'
import { context, section } from './message-blocks.ts'
import { linkTo, quoteText } from './message-text.ts'

/** The message that a person sends to see whether it works. */
export function renderTestMessage(of: {
  readonly organization: string
  readonly who: string
  readonly url: string | null
}): ChatMessage {
  const text = `✅ Signalbox can write here: messages of ${quoteText(of.organization, 100)} arrive.`
  const note = [`Asked for by ${quoteText(of.who, 80)}`]
  const link = of.url === null ? [] : [linkTo(of.url, 'Settings')]
  return { text, blocks: [section([text]), context([...note, ...link])] }
}
