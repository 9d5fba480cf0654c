import type { ResponseOf, deploymentEndpoints } from '@signalbox/contract/rest'
import type { ShownMessageRow } from './detail-rows.ts'

export type ShownMessage = ResponseOf<typeof deploymentEndpoints.getDeployment>['messages'][number]

/** What is the matter with a message, and what a person does about it, by the code it was refused with. */
export type ExplainMessage = (code: string | null) => {
  readonly reason: string | null
  readonly nextStep: string | null
}

/** What a message is held for that has nowhere to go. */
export const noChannelReason = 'no_channel'

const nothingToSay = { reason: null, nextStep: null }

export function presentMessage(row: ShownMessageRow, explain: ExplainMessage): ShownMessage {
  const { id, routeId, channelName, state, reason, url, sentRevision, updatedAt } = row
  const isWaiting = state === 'broken' || state === 'held'
  const explained = isWaiting ? explainWaiting(row, explain) : nothingToSay
  return {
    id,
    routeId,
    channelName,
    state,
    reason,
    detail: explained.reason,
    nextStep: explained.nextStep,
    // Without a key it could arrive twice.
    canSendAgain: isWaiting && reason !== 'outcome_unknown',
    url,
    edits: Math.max(0, sentRevision - 1),
    updatedAt: updatedAt.toISOString(),
  }
}

function explainWaiting({ state, reason }: ShownMessageRow, explain: ExplainMessage) {
  if (state === 'held' && reason === noChannelReason) {
    return {
      reason: 'No channel is chosen.',
      nextStep: 'Choose the channel: waiting messages are then sent.',
    }
  }
  if (state === 'held') {
    return {
      reason: `The chat accepts no messages from this organization at the moment${reason === null ? '' : ` (${reason})`}.`,
      nextStep: 'Connect the chat again: waiting messages are then sent.',
    }
  }
  return reason === null ? nothingToSay : explain(reason)
}
