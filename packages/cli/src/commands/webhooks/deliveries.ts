import { setTimeout as delay } from 'node:timers/promises'
import { defineCommand, type End } from '../../action.ts'
import type { OutgoingMessage, OutgoingWebhook } from '../../api/operations.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'

/** Limits how long the commands wait for the answer of the receiver. */
const patienceMs = 20_000

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

interface SentMessage {
  readonly webhook: OutgoingWebhook
  readonly orgId: string
  readonly message: OutgoingMessage
}

/** Prints the answer of the receiver. A message that did not arrive ends the command with 1. */
async function reportOutcome(
  session: Session,
  { webhook, orgId, message }: SentMessage,
): Promise<End | undefined> {
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

/** Describes the argument that names an outgoing webhook. */
export const nameArgument = { brief: 'Name or id of the webhook', placeholder: 'name' } as const

async function findWebhook(session: Session, reference: string) {
  const { api, organization } = await openOrganization(session)
  const webhook = await api.outgoingWebhook(organization.id, reference)
  return { api, webhook, params: { org_id: organization.id, webhook_id: webhook.id } }
}

/** Defines `signalbox webhooks deliveries`. */
export const deliveriesCommand = defineCommand({
  brief: 'List what was sent to an outgoing webhook',
  about: 'Lists the last 50 messages, newest first, with the answer of the receiver.',
  examples: ['signalbox webhooks deliveries Deploys'],
  args: [nameArgument],
  run: async (session, _flags, name) => {
    const { api, webhook, params } = await findWebhook(session, name)
    const { items } = await api.call('listOutgoingMessages', { params, query: { limit: 50 } })
    const { output } = session
    output.document({ webhook, deliveries: items })
    output.data(
      items.length === 0
        ? `Nothing was sent to ${printable(webhook.name)} in the last 30 days.`
        : renderTable(items.map((message) => rowOf(message, output.styles))),
    )
  },
})

/** Defines `signalbox webhooks test`. */
export const testWebhookCommand = defineCommand({
  brief: 'Send a test message to an outgoing webhook',
  about:
    'Sends a message of the type webhook.test, and prints the answer of the receiver. Another answer than success ends the command with 1.',
  examples: ['signalbox webhooks test Deploys'],
  args: [nameArgument],
  run: async (session, flags, name) => {
    const { api, webhook, params } = await findWebhook(session, name)
    if (flags.dryRun) {
      session.output.document({ dryRun: true, webhook })
      session.output.result(`Would send a test to ${printable(webhook.name)}.`)
      return undefined
    }
    const message = await api.call('testOutgoingWebhook', { params })
    return reportOutcome(session, { webhook, orgId: params.org_id, message })
  },
})

/** Defines `signalbox webhooks replay`. */
export const replayCommand = defineCommand({
  brief: 'Send a message again',
  about:
    'Sends a stored message again, with the same id and body, and prints the answer of the receiver.',
  examples: ['signalbox webhooks replay Deploys msg_01j9zq3v7w8x9y0a1b2c3d4e5f'],
  args: [
    nameArgument,
    { brief: 'Id of the message, as deliveries lists it', placeholder: 'message' },
  ],
  run: async (session, flags, name, id) => {
    const { api, webhook, params } = await findWebhook(session, name)
    if (flags.dryRun) {
      session.output.document({ dryRun: true, webhook, id })
      session.output.result(`Would send ${printable(id)} to ${printable(webhook.name)} again.`)
      return undefined
    }
    const message = await api.call('replayOutgoingMessage', {
      params: { ...params, message_id: id },
    })
    return reportOutcome(session, { webhook, orgId: params.org_id, message })
  },
})
