import { explainChatCode } from '../../providers/chat/chat-dialects.ts'
import { findProvider } from '../../providers/find-provider.ts'
import { unknownReason } from './message-reasons.ts'

/**
 * Explains what is the matter with a channel, by the code that its last message was refused with; `null`: nothing is.
 * `provider`: the chat that the organization has, or had last; `null`: none yet.
 */
export function explainRouteHealth(
  provider: string | null,
  code: string | null,
): {
  readonly reason: string | null
  readonly nextStep: string | null
} {
  if (code === null) return { reason: null, nextStep: null }
  if (code === unknownReason) {
    return {
      reason:
        'Signalbox doesn’t know whether the last message arrived, so sending it again could post it twice.',
      nextStep: `Check the channel, and say whether the message is there.${offerAccess(provider)}`,
    }
  }
  const { detail, nextStep } = explainChatCode(provider, code)
  return { reason: detail, nextStep }
}

/** Returns the sentence that offers the access with which Signalbox looks for itself. Where it has that, no outcome stays unknown. */
function offerAccess(provider: string | null): string {
  const chat = findProvider(provider ?? '')
  return chat?.moreAccess === undefined
    ? ''
    : ` Connect ${chat.displayName} again with more access, and Signalbox looks for itself.`
}
