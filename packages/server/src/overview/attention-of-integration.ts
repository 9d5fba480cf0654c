import { labelChannel } from '@signalbox/contract'
import type { Attention } from '@signalbox/contract/rest'
import type { WaitingMessages } from '../read-models/overview/overview-rows.ts'
import type { Integration } from '../integrations/integration.ts'
import { describeRefusedRenewal } from '../integrations/health/not-renewed.ts'
import { displayNameOf } from '../providers/find-provider.ts'
import { integrationPage, next, type AttentionItem } from './dashboard-steps.ts'

type IntegrationAttention = Pick<Attention, 'severity' | 'title' | 'detail'> & {
  readonly label?: string
}

/** Returns what a person should know of an integration, with the messages that wait for it; an empty list while it works. */
export function attentionOfIntegration(
  integration: Integration,
  now: Date,
  held: readonly WaitingMessages[] = [],
): AttentionItem[] {
  const { kind, provider, lastError } = integration
  const known = findAttention(integration, displayNameOf(provider), now)
  if (known === undefined) return []
  const { label = `Open ${displayNameOf(provider)}`, ...attention } = known
  return [
    {
      code: 'integration_attention',
      subjectId: kind,
      at: lastError?.at ?? null,
      next: next(label, integrationPage(kind)),
      ...attention,
      detail: [attention.detail, ...held.map(describeHeld)].join(' '),
    },
  ]
}

function describeHeld({ count, channelName }: WaitingMessages): string {
  const verb = count === 1 ? 'waits' : 'wait'
  return `${countMessages(count)} to ${nameChannel(channelName)} ${verb} for this.`
}

/** Returns a number of messages in words. Example: `3 messages`. */
export function countMessages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}

/** Returns a channel by its name. Without one: the chat. */
export function nameChannel(name: string | null): string {
  return name === null ? 'the chat' : labelChannel(name)
}

function findAttention(
  integration: Integration,
  name: string,
  now: Date,
): IntegrationAttention | undefined {
  const { renewalRetryAt } = integration
  if (renewalRetryAt !== null) {
    const title = `${name} refuses to renew the access`
    const { nextStep: detail } = describeRefusedRenewal(name, renewalRetryAt)
    return { severity: 'warning', title, detail }
  }
  switch (integration.state) {
    case 'reauth_required':
    case 'suspended':
      return describeBlocked(integration, name)
    case 'degraded':
    case 'pending':
      return describePartial(integration, name)
    case 'connected':
      return findFailure(integration, name) ?? findEnd(integration, name, now)
    case 'disconnecting':
    case 'disconnected':
      return undefined
  }
}

function describeBlocked({ state, lastError }: Integration, name: string): IntegrationAttention {
  if (state === 'suspended') {
    const detail = `An administrator suspended it in ${name}.`
    return { severity: 'error', title: `${name} is suspended`, detail }
  }
  return {
    severity: 'error',
    title: `Connect ${name} again`,
    detail: lastError?.detail ?? `${name} revoked access.`,
    label: 'Connect again',
  }
}

function describePartial(
  { state, stateReason, lastError }: Integration,
  name: string,
): IntegrationAttention {
  return {
    severity: 'warning',
    title: state === 'pending' ? `${name} isn’t fully connected` : `${name} works in part`,
    detail: stateReason ?? lastError?.detail ?? 'Open it to see the missing permissions.',
  }
}

function findFailure(
  { lastError, lastOkAt }: Integration,
  name: string,
): IntegrationAttention | undefined {
  if (lastError === null || (lastOkAt !== null && new Date(lastError.at) <= lastOkAt))
    return undefined
  return {
    severity: 'warning',
    title: `The last call to ${name} failed`,
    detail: lastError.detail,
  }
}

/** Warns two weeks before a provider ends the access for good. */
const noticeMs = 14 * 24 * 3600 * 1000

function findEnd(
  { reconnectBefore }: Integration,
  name: string,
  now: Date,
): IntegrationAttention | undefined {
  if (reconnectBefore === null || reconnectBefore.getTime() - now.getTime() > noticeMs)
    return undefined
  return {
    severity: 'warning',
    title: `Access to ${name} expires soon`,
    detail: `Connect it again before ${reconnectBefore.toISOString().slice(0, 10)}.`,
    label: 'Connect again',
  }
}
