import { text } from 'node:stream/consumers'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { outgoingEvents, outgoingFormats } from '../../api/outgoing-webhook.ts'
import {
  globalFlags,
  switchFlag,
  textFlag,
  type CliContext,
  type GlobalFlags,
} from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { didYouMean } from '../../terminal/nearest.ts'
import { printable } from '../../terminal/printable.ts'
import { assertSecretFile, printSecret, secretFileFlag } from './print-secret.ts'
import { nameParameter } from './webhook-parameters.ts'

type CreateFlags = GlobalFlags & {
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly format?: (typeof outgoingFormats)[number] | undefined
  readonly authorizationStdin?: boolean | undefined
  readonly secretFile?: string | undefined
}

async function createWebhook(session: Session, flags: CreateFlags, name: string): Promise<void> {
  const { url, format, secretFile } = flags
  if (url === undefined) {
    throw new CliError('usage', 'url_required', 'Add the address that receives the events.', {
      advice: `signalbox webhooks create ${JSON.stringify(name)} --url https://hooks.example.com/signalbox`,
    })
  }
  const events = parseEvents(flags.events ?? outgoingEvents)
  await assertSecretFile(session, secretFile)
  const authorization = await readAuthorization(flags)
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const body = { name, url, events, format: format ?? 'generic', enabled: true } as const
  if (flags.dryRun) {
    output.document({ dryRun: true, webhook: body })
    output.result(`Would create the webhook ${printable(name)} for ${events.join(', ')}.`)
    return
  }
  const webhook = await api.call('createOutgoingWebhook', {
    params: { org_id: organization.id },
    body: { ...body, ...(authorization === undefined ? {} : { authorization }) },
  })
  output.note(
    `${output.errorStyles.green('✓')} Created the webhook ${printable(name)}  ${webhook.id}`,
  )
  // The answer to a repeated request has no secret. This request is sent once.
  await printSecret(session, { ...webhook, secret: webhook.secret }, secretFile)
}

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
async function readAuthorization(flags: CreateFlags): Promise<string | undefined> {
  if (flags.authorizationStdin !== true) return undefined
  if (flags.tokenStdin) {
    throw new CliError(
      'usage',
      'usage',
      'Standard input can hold the token or the header, not both.',
    )
  }
  const header = (await text(process.stdin)).trim()
  if (header !== '') return header
  throw new CliError(
    'usage',
    'value_required',
    'The Authorization header is missing: stdin is empty.',
  )
}

/** Defines `signalbox webhooks create`. */
export const createWebhookCommand = buildCommand<CreateFlags, [string], CliContext>({
  func: action(createWebhook),
  parameters: {
    flags: {
      ...globalFlags,
      url: textFlag('address', 'Address that receives the events'),
      events: {
        kind: 'parsed',
        parse: (input: string) => input,
        optional: true,
        variadic: ',',
        brief: 'Events, separated by commas (default: all)',
        placeholder: 'names',
      },
      format: {
        kind: 'enum',
        values: outgoingFormats,
        optional: true,
        brief: 'Form of the messages (default generic: Standard Webhooks)',
      },
      authorizationStdin: switchFlag('Read an Authorization header for the receiver from stdin'),
      secretFile: secretFileFlag,
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Create an outgoing webhook',
    fullDescription: describe(
      'Creates a webhook and prints the secret that signs its messages, once. Standard output holds the secret and nothing else.',
      [
        'signalbox webhooks create Deploys --url https://hooks.example.com/signalbox --events deployment.finished',
        'signalbox webhooks create Grafana --url https://grafana.example.com/api/annotations --format grafana --secret-file grafana.secret',
      ],
    ),
  },
})
