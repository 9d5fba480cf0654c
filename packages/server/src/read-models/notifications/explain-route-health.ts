import { explainChatCode } from '../../providers/chat/chat-dialects.ts'

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
  if (code === 'outcome_unknown') {
    return {
      reason:
        'Signalbox doesn’t know whether the last message arrived, so sending it again could post it twice.',
      nextStep: 'Check the channel. Signalbox announces the next deployment as usual.',
    }
  }
  const { detail, nextStep } = explainChatCode(provider, code)
  return { reason: detail, nextStep }
}
