import { labelChannel } from '@signalbox/contract'
import type { TimelineAction } from '@signalbox/contract/rest'
import type { DeploymentView } from './get-deployment.ts'
import { absenceOfKind, choiceOfKind } from '../../providers/find-provider.ts'
import { noChannelReason, unknownReason } from '../notifications/message-reasons.ts'
import { presentMessage, type ShownMessage } from '../notifications/present-message.ts'
import type { ShownMessageRow } from '../notifications/shown-message-rows.ts'
import { step, type TimedStep } from './timed-step.ts'

const connectChat: TimelineAction = { kind: 'connect', integration: 'chat' }

/** Returns the steps of a deployment's messages, or why there are none. */
export function messageSteps(view: DeploymentView): TimedStep[] {
  return view.messages.length > 0 ? view.messages.map(messageStep) : noMessageSteps(view)
}

function toStepState(state: ShownMessage['state']): TimedStep['state'] {
  switch (state) {
    case 'wanted':
    case 'held':
      return 'waiting'
    case 'sending':
      return 'running'
    case 'live':
      return 'done'
    case 'broken':
      return 'failed'
    case 'gone':
      return 'skipped'
  }
}

/** Completes a title where the word beside it does not say enough. A failed message with an unknown outcome may be there. */
const endings: Readonly<Partial<Record<ShownMessage['state'], string>>> = {
  live: ': sent',
  held: ' is waiting',
  broken: ': not sent',
  gone: ': deleted',
}

function toChannel({ channelName, state }: ShownMessage): string {
  if (channelName !== null) return labelChannel(channelName)
  const isSent = state === 'live' || state === 'gone'
  return isSent ? 'an earlier channel' : 'the default channel'
}

function messageStep(row: ShownMessageRow): TimedStep {
  const message = presentMessage(row)
  const { id, state, reason, detail, nextStep, url } = message
  const ending = reason === unknownReason ? ': outcome unknown' : (endings[state] ?? '')
  const isWaiting = state === 'broken' || state === 'held'
  return step({
    at: row.happenedAt,
    kind: isWaiting ? 'skipped' : 'message',
    state: toStepState(state),
    title: `Message to ${toChannel(message)}${ending}`,
    detail: state === 'gone' ? 'Somebody deleted the message.' : detail,
    url,
    nextStep,
    actions: isWaiting ? actionsOf(message) : [],
    subjectId: id,
  })
}

function actionsOf({ id, state, reason, routeId, canSendAgain }: ShownMessage): TimelineAction[] {
  if (reason === unknownReason) {
    return [{ kind: 'settle_message', notificationId: id }, connectChat]
  }
  const mend: TimelineAction =
    state === 'held' && reason !== noChannelReason
      ? connectChat
      : { kind: 'choose_channel', routeId: routeId === '' ? null : routeId }
  return canSendAgain ? [mend, { kind: 'send_again', notificationId: id }] : [mend]
}

function noMessageSteps({ deployment, ground }: DeploymentView): TimedStep[] {
  const { finishedAt, isHistory } = deployment
  if (finishedAt === null) return []
  const skipped = {
    at: finishedAt,
    kind: 'skipped',
    state: 'skipped',
    title: 'No message',
  } as const
  if (isHistory)
    return [step({ ...skipped, detail: 'Signalbox found this deployment long after it happened.' })]
  if (!ground.isChatConnected) {
    const nextStep = `Connect ${choiceOfKind('chat')}.`
    const detail = `${absenceOfKind('chat')} is connected.`
    return [step({ ...skipped, detail, nextStep, actions: [connectChat] })]
  }
  return [
    step({
      ...skipped,
      detail: ground.hasChannel
        ? 'No notification route matches this deployment, or its message isn’t ready yet.'
        : 'No channel is chosen.',
      nextStep: ground.hasChannel ? null : 'Choose the channel.',
      actions: [{ kind: 'choose_channel', routeId: null }],
    }),
  ]
}
