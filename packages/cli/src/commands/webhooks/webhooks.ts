import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import type { OutgoingWebhook } from '../../api/operations.ts'
import { outgoingEvents, outgoingFormats } from '../../api/outgoing-webhook.ts'
import {
  assertSecretFile,
  printSecret,
  readSecretLine,
  secretFileFlag,
} from '../../changes/one-time-secret.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { listFlag, switchFlag, textFlag, type CliContext } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { didYouMean } from '../../terminal/nearest.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { deliveriesCommand, nameArgument, replayCommand, testWebhookCommand } from './deliveries.ts'

const list = defineList<OutgoingWebhook>({
  noun: 'outgoing webhooks',
  word: 'webhooks',
  member: 'webhooks',
  about: 'Lists the addresses that events are sent to, with their health. Never shows a secret.',
  create: 'Create one: signalbox webhooks create <name> --url <address>',
  read: (api, orgId) => api.outgoingWebhooks(orgId),
  rowOf: (webhook, styles) => [
    styles.bold(printable(webhook.name)),
    describeHealth(webhook, styles),
    printable(webhook.url),
    webhook.events.join(' '),
    styles.dim(webhook.id),
  ],
})

function describeHealth({ enabled, health }: OutgoingWebhook, styles: Styles): string {
  if (!enabled) return styles.dim('off')
  return health.state === 'ok' ? 'ok' : styles.red(printable(health.reason ?? health.state))
}

const create = defineCommand({
  brief: 'Create an outgoing webhook',
  about:
    'Creates a webhook and prints the secret that signs its messages, once. Standard output holds the secret and nothing else.',
  examples: [
    'signalbox webhooks create Deploys --url https://hooks.example.com/signalbox --events deployment.finished',
    'signalbox webhooks create Grafana --url https://grafana.example.com/api/annotations --format grafana --secret-file grafana.secret',
  ],
  flags: {
    url: textFlag('address', 'Address that receives the events'),
    events: listFlag('names', 'Events, separated by commas (default: all)'),
    format: {
      kind: 'enum',
      values: outgoingFormats,
      optional: true,
      brief: 'Form of the messages (default generic: Standard Webhooks)',
    },
    authorizationStdin: switchFlag('Read an Authorization header for the receiver from stdin'),
    secretFile: secretFileFlag,
  },
  args: [nameArgument],
  run: async (session, flags, name) => {
    const { url, format = 'generic' } = flags
    if (url === undefined) {
      const why = 'Add the address that receives the events.'
      throw new CliError('usage', 'url_required', why, {
        advice: `signalbox webhooks create ${JSON.stringify(name)} --url https://hooks.example.com/signalbox`,
      })
    }
    const events = parseEvents(flags.events ?? outgoingEvents)
    await assertSecretFile(session, flags.secretFile)
    const authorization = flags.authorizationStdin
      ? await readSecretLine(session, 'The Authorization header')
      : undefined
    const { api, organization } = await openOrganization(session)
    const { output } = session
    const body = { name, url, events, format, enabled: true }
    if (flags.dryRun) {
      output.document({ dryRun: true, webhook: body })
      output.result(`Would create the webhook ${printable(name)} for ${events.join(', ')}.`)
      return
    }
    const webhook = await api.call('createOutgoingWebhook', {
      params: { org_id: organization.id },
      body: { ...body, ...(authorization === undefined ? {} : { authorization }) },
    })
    const made = `Created the webhook ${printable(name)}  ${webhook.id}`
    output.note(`${output.errorStyles.green('✓')} ${made}`)
    // The answer to a repeated request has no secret. This request is sent once.
    await printMade(session, webhook, flags.secretFile)
  },
})

function parseEvents(names: readonly string[]): (typeof outgoingEvents)[number][] {
  return names.map((name) => {
    const event = outgoingEvents.find((each) => each === name)
    if (event !== undefined) return event
    throw new CliError('usage', 'unknown_event', `There is no event "${name}".`, {
      advice: didYouMean(name, outgoingEvents) ?? `There are: ${outgoingEvents.join(', ')}`,
    })
  })
}

const longestOverlapSeconds = 30 * 24 * 3600

function parseSeconds(input: string): number {
  const seconds = Number(input)
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestOverlapSeconds) return seconds
  throw new CliError('usage', 'usage', 'Use 0 to 2592000 seconds (30 days).')
}

const rotate = defineCommand({
  brief: 'Give an outgoing webhook a new secret',
  about:
    'Prints a new signing secret, once. Until the overlap ends, messages are signed with both secrets.',
  examples: [
    'signalbox webhooks rotate Deploys',
    'signalbox webhooks rotate Deploys --overlap 0 --secret-file deploys.secret',
  ],
  flags: {
    overlap: {
      kind: 'parsed',
      parse: parseSeconds,
      optional: true,
      brief: 'Seconds for which the former secret signs too (default 86400, a day)',
      placeholder: 'seconds',
    },
    secretFile: secretFileFlag,
  },
  args: [nameArgument],
  run: async (session, flags, name) => {
    await assertSecretFile(session, flags.secretFile)
    const { api, organization } = await openOrganization(session)
    const { output } = session
    const { id } = await api.outgoingWebhook(organization.id, name)
    if (flags.dryRun) {
      output.document({ dryRun: true, id })
      output.result(`Would give the webhook ${printable(name)} a new secret.`)
      return
    }
    const webhook = await api.call('rotateOutgoingWebhook', {
      params: { org_id: organization.id, webhook_id: id },
      body: { overlapSeconds: flags.overlap ?? 24 * 3600 },
    })
    const until = webhook.overlapEndsAt
    const former =
      until === null
        ? 'The former one no longer signs.'
        : `The former one signs too until ${until}.`
    output.note(
      `${output.errorStyles.green('✓')} ${printable(webhook.name)} has a new secret. ${former}`,
    )
    await printMade(session, webhook, flags.secretFile)
  },
})

const remove = defineCommand({
  brief: 'Delete an outgoing webhook',
  about: 'Deletes a webhook with its deliveries.',
  examples: ['signalbox webhooks delete Deploys --yes'],
  args: [nameArgument],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const webhook = await api.outgoingWebhook(organization.id, reference)
    const { id, name } = webhook
    await carryOut(session, {
      would: `delete the webhook ${printable(name)}`,
      plan: { webhook },
      ask: askToDelete(name, `Delete the webhook ${name} with its deliveries?`),
      send: () =>
        api.call('deleteOutgoingWebhook', {
          params: { org_id: organization.id, webhook_id: id },
        }),
      done: () => [`Deleted the webhook ${printable(name)}`, { deleted: id, name }],
    })
  },
})

/** Prints a webhook with its secret, which the server does not show again. */
function printMade(
  session: Session,
  { secret, ...webhook }: { readonly secret: string },
  file: string | undefined,
): Promise<void> {
  const made = { document: { webhook }, secret, noun: 'signing secret', to: 'the receiver' }
  return printSecret(session, made, file)
}

/** Defines `signalbox webhooks`, whose default is the list. */
export const webhooksRoutes = buildRouteMap<
  'list' | 'create' | 'test' | 'rotate' | 'deliveries' | 'replay' | 'delete',
  CliContext
>({
  routes: {
    list,
    create,
    test: testWebhookCommand,
    rotate,
    deliveries: deliveriesCommand,
    replay: replayCommand,
    delete: remove,
  },
  defaultCommand: 'list',
  docs: { brief: briefs.webhooks },
})
