import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { displayNameOfKind, subjectOfKind } from '../../providers/find-provider.ts'
import { explainRouteHealth } from './explain-route-health.ts'
import { noChannelReason, seenReason, unknownReason } from './message-reasons.ts'
import type { ShownMessageRow } from './shown-message-rows.ts'

/** Describes a message as the API shows it. */
export type ShownMessage = ResponseOf<typeof deploymentEndpoints.getDeployment>['messages'][number]

const nothingToSay = { reason: null, nextStep: null }
const messageInChannel = {
  reason:
    'Somebody saw the message in the channel. Signalbox cannot edit it, and announces a new failure in a new message.',
  nextStep: null,
}

/** Returns a message as the API shows it, with what is wrong and the next step where it waits for a person. */
export function presentMessage(row: ShownMessageRow): ShownMessage {
  const { id, routeId, channelName, reason, url, sentRevision, updatedAt } = row
  const isSeen = row.state === 'gone' && reason === seenReason
  const state = isSeen ? 'live' : row.state
  const isWaiting = state === 'broken' || state === 'held'
  const explained = isWaiting ? explainWaiting(row) : isSeen ? messageInChannel : nothingToSay
  return {
    id,
    routeId,
    channelName,
    state,
    reason,
    detail: explained.reason,
    nextStep: explained.nextStep,
    // It could arrive twice, unless a person has looked.
    canSendAgain: isWaiting && reason !== unknownReason,
    url,
    edits: Math.max(0, sentRevision - 1),
    updatedAt: updatedAt.toISOString(),
  }
}

function explainWaiting({ state, reason, provider }: ShownMessageRow) {
  if (state === 'held' && reason === noChannelReason) {
    return {
      reason: 'No channel is chosen.',
      nextStep: 'Choose the channel: Signalbox then sends the waiting messages.',
    }
  }
  if (state === 'held') {
    const name = displayNameOfKind('chat', provider)
    return {
      reason: `${subjectOfKind('chat', provider)} isn’t accepting messages from this organization.`,
      nextStep: `Connect ${name} again: Signalbox then sends the waiting messages.`,
    }
  }
  return reason === null ? nothingToSay : explainRouteHealth(provider, reason)
}
