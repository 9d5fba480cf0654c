import { setTimeout as delay } from 'node:timers/promises'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { OutgoingMessage, OutgoingWebhook } from '../../api/operations.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'
import { nameParameter } from './webhook-parameters.ts'

/** Limits how long the commands wait for the answer of the receiver. */
const patienceMs = 20_000

async function listDeliveries(session: Session, _flags: GlobalFlags, name: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const webhook = await api.outgoingWebhook(organization.id, name)
  const { items } = await api.call('listOutgoingMessages', {
    params: { org_id: organization.id, webhook_id: webhook.id },
    query: { limit: 50 },
  })
  const { output } = session
  output.document({ webhook, deliveries: items })
  output.data(
    items.length === 0
      ? `Nothing was sent to ${printable(webhook.name)} in the last 30 days.`
      : renderTable(items.map((message) => rowOf(message, output.styles))),
  )
}

function rowOf(message: OutgoingMessage, styles: Styles): string[] {
  return [
    `${message.createdAt.slice(0, 16).replace('T', ' ')}Z`,
    message.type,
    describeState(message, styles),
    styles.dim(message.id),
  ]
}

function describeState(message: OutgoingMessage, styles: Styles): string {
  const { state, status, reason, attempts, nextAttemptAt } = message
  const cause = printable(reason ?? String(status ?? 'no answer'))
  switch (state) {
    case 'sent':
      return styles.green(`answered ${String(status)}`)
    case 'failed':
      return styles.red(`failed: ${cause}, ${attempts} attempts`)
    case 'waiting':
      return attempts === 0
        ? 'waits'
        : styles.yellow(`${cause}, again at ${nextAttemptAt ?? 'once'}`)
  }
}

async function testWebhook(
  session: Session,
  flags: GlobalFlags,
  name: string,
): Promise<{ readonly exitWith: number } | undefined> {
  const { api, organization } = await openOrganization(session)
  const webhook = await api.outgoingWebhook(organization.id, name)
  if (flags.dryRun) {
    session.output.document({ dryRun: true, webhook })
    session.output.result(`Would send a test to ${printable(webhook.name)}.`)
    return undefined
  }
  const params = { org_id: organization.id, webhook_id: webhook.id }
  const message = await api.call('testOutgoingWebhook', { params })
  return reportOutcome(session, { webhook, orgId: organization.id, message })
}

async function replay(
  session: Session,
  flags: GlobalFlags,
  name: string,
  id: string,
): Promise<{ readonly exitWith: number } | undefined> {
  const { api, organization } = await openOrganization(session)
  const webhook = await api.outgoingWebhook(organization.id, name)
  if (flags.dryRun) {
    session.output.document({ dryRun: true, webhook, id })
    session.output.result(`Would send ${printable(id)} to ${printable(webhook.name)} again.`)
    return undefined
  }
  const message = await api.call('replayOutgoingMessage', {
    params: { org_id: organization.id, webhook_id: webhook.id, message_id: id },
  })
  return reportOutcome(session, { webhook, orgId: organization.id, message })
}

interface SentMessage {
  readonly webhook: OutgoingWebhook
  readonly orgId: string
  readonly message: OutgoingMessage
}

/** Prints the answer of the receiver. A message that did not arrive ends the command with 1. */
async function reportOutcome(
  session: Session,
  { webhook, orgId, message }: SentMessage,
): Promise<{ readonly exitWith: number } | undefined> {
  const last = await session.progress(`Waiting for ${printable(webhook.name)}`, () =>
    waitForAttempt(session, { webhook, orgId, message }),
  )
  const { output } = session
  const { styles } = output
  output.document({ webhook, delivery: last })
  output.result(
    `${last.state === 'sent' ? styles.green('✓') : styles.red('✗')} ${printable(webhook.name)}: ${describeState(last, styles)}  ${last.id}`,
  )
  return last.state === 'sent' ? undefined : { exitWith: exitCodes.failure }
}

async function waitForAttempt(
  session: Session,
  { webhook, orgId, message }: SentMessage,
): Promise<OutgoingMessage> {
  const api = await session.api()
  const deadline = Date.now() + patienceMs
  let last = message
  while (last.state === 'waiting' && last.attempts === message.attempts && Date.now() < deadline) {
    await delay(300)
    const { items } = await api.call('listOutgoingMessages', {
      params: { org_id: orgId, webhook_id: webhook.id },
      query: { limit: 100 },
    })
    last = items.find(({ id }) => id === message.id) ?? last
  }
  return last
}

/** Defines `signalbox webhooks deliveries`. */
export const deliveriesCommand = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(listDeliveries),
  parameters: { flags: globalFlags, positional: nameParameter },
  docs: {
    brief: 'List what was sent to an outgoing webhook',
    fullDescription: describe(
      'Lists the last 50 messages, newest first, with the answer of the receiver.',
      ['signalbox webhooks deliveries Deploys'],
    ),
  },
})

/** Defines `signalbox webhooks test`. */
export const testWebhookCommand = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(testWebhook),
  parameters: { flags: globalFlags, positional: nameParameter },
  docs: {
    brief: 'Send a test message to an outgoing webhook',
    fullDescription: describe(
      'Sends a message of the type webhook.test, and prints the answer of the receiver. Another answer than success ends the command with 1.',
      ['signalbox webhooks test Deploys'],
    ),
  },
})

/** Defines `signalbox webhooks replay`. */
export const replayCommand = buildCommand<GlobalFlags, [string, string], CliContext>({
  func: action(replay),
  parameters: {
    flags: globalFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        ...nameParameter.parameters,
        {
          brief: 'Id of the message, as deliveries lists it',
          parse: (text: string) => text,
          placeholder: 'message',
        },
      ],
    },
  },
  docs: {
    brief: 'Send a message again',
    fullDescription: describe(
      'Sends a stored message again, with the same id and body, and prints the answer of the receiver.',
      ['signalbox webhooks replay Deploys msg_01j9zq3v7w8x9y0a1b2c3d4e5f'],
    ),
  },
})
