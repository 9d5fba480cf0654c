import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import type { OutgoingWebhook } from '../../api/operations.ts'
import { outgoingEvents, outgoingFormats } from '../../api/outgoing-webhook.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { listFlag, switchFlag, textFlag, type CliContext } from '../../cli-context.ts'
import { writeSecretFile } from '../../project/secret-file.ts'
import { assertWritablePath } from '../../project/write-file.ts'
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

const secretFile = textFlag(
  'path',
  'File for the secret, which only you can read (default: printed)',
)

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
    secretFile,
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
    const authorization = await readAuthorization(session, flags)
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
    await printSecret(session, webhook, flags.secretFile)
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

/** Reads the `Authorization` header from standard input: as a flag it would be in the process list. */
async function readAuthorization(
  { stdin }: Session,
  flags: {
    readonly authorizationStdin?: boolean | undefined
    readonly tokenStdin?: boolean | undefined
  },
): Promise<string | undefined> {
  if (flags.authorizationStdin !== true) return undefined
  if (flags.tokenStdin) {
    throw new CliError(
      'usage',
      'usage',
      'Standard input can hold the token or the header, not both.',
    )
  }
  const header = (await text(stdin)).trim()
  if (header !== '') return header
  throw new CliError(
    'usage',
    'value_required',
    'The Authorization header is missing: stdin is empty.',
  )
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
    secretFile,
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
    await printSecret(session, webhook, flags.secretFile)
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

/** Refuses a path that cannot be written, before anything is created whose secret would be lost. */
async function assertSecretFile(session: Session, file: string | undefined): Promise<void> {
  if (file === undefined) return
  const path = resolve(session.cwd, file)
  await assertWritablePath(path)
  await writeSecretFile({ path, text: '', projectDirectory: session.cwd, dryRun: true })
}

/** Prints the secret of a webhook, or writes it to a file. The server does not show it again. */
async function printSecret(
  session: Session,
  { secret, ...webhook }: { readonly secret: string },
  file: string | undefined,
): Promise<void> {
  const { output } = session
  if (file === undefined) {
    output.document({ webhook, secret })
    output.note('Its signing secret. Give it to the receiver now: it is not shown again.')
    output.data(secret)
    return
  }
  const path = resolve(session.cwd, file)
  const text = `${secret}\n`
  await writeSecretFile({ path, text, projectDirectory: session.cwd, dryRun: false })
  output.document({ webhook, secretFile: path })
  output.note(`Its signing secret is in ${path}, which only you can read.`)
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
