import { link, quote, sign, type ChatMessage } from '../../providers/chat/chat-message.ts'
import { renderNotice } from './render-notice.ts'

/** Returns the message that a person sends to see whether messages arrive. */
export function renderTestMessage(of: {
  readonly organization: string
  readonly who: string
  readonly url: string | null
}): ChatMessage {
  return renderNotice({
    tone: 'success',
    summary: [
      sign('success'),
      ' Test message: Signalbox can post here. Messages of ',
      quote(of.organization, 100),
      ' arrive.',
    ],
    footer: [
      ['Asked for by ', quote(of.who, 80)],
      ...(of.url === null ? [] : [[link(of.url, 'Settings')]]),
    ],
  })
}
