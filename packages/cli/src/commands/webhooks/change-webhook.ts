import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { assertSecretFile, printSecret, secretFileFlag } from './print-secret.ts'
import { nameParameter } from './webhook-parameters.ts'

type RotateFlags = GlobalFlags & {
  readonly overlap?: number | undefined
  readonly secretFile?: string | undefined
}

const longestOverlapSeconds = 30 * 24 * 3600

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestOverlapSeconds) return seconds
  throw new CliError('usage', 'usage', 'Use 0 to 2592000 seconds (30 days).')
}

async function rotateWebhook(session: Session, flags: RotateFlags, name: string): Promise<void> {
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
  output.note(
    `${output.errorStyles.green('✓')} ${printable(webhook.name)} has a new secret. ${
      until === null
        ? 'The former one no longer signs.'
        : `The former one signs too until ${until}.`
    }`,
  )
  await printSecret(session, { ...webhook, secret: webhook.secret }, flags.secretFile)
}

async function deleteWebhook(session: Session, flags: GlobalFlags, name: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const webhook = await api.outgoingWebhook(organization.id, name)
  if (flags.dryRun) {
    output.document({ dryRun: true, webhook })
    output.result(`Would delete the webhook ${printable(webhook.name)}.`)
    return
  }
  await confirmChange(session, {
    environment: { name: webhook.name, production: false },
    question: `Delete the webhook ${webhook.name} with its deliveries?`,
    elsewhere: 'always',
  })
  await api.call('deleteOutgoingWebhook', {
    params: { org_id: organization.id, webhook_id: webhook.id },
  })
  output.document({ deleted: webhook.id, name: webhook.name })
  output.result(`${output.styles.green('✓')} Deleted the webhook ${printable(webhook.name)}`)
}

/** Defines `signalbox webhooks rotate`. */
export const rotateWebhookCommand = buildCommand<RotateFlags, [string], CliContext>({
  func: action(rotateWebhook),
  parameters: {
    flags: {
      ...globalFlags,
      overlap: {
        kind: 'parsed',
        parse: parseSeconds,
        optional: true,
        brief: 'Seconds for which the former secret signs too (default 86400, a day)',
        placeholder: 'seconds',
      },
      secretFile: secretFileFlag,
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Give an outgoing webhook a new secret',
    fullDescription: describe(
      'Prints a new signing secret, once. Until the overlap ends, messages are signed with both secrets.',
      [
        'signalbox webhooks rotate Deploys',
        'signalbox webhooks rotate Deploys --overlap 0 --secret-file deploys.secret',
      ],
    ),
  },
})

/** Defines `signalbox webhooks delete`. */
export const deleteWebhookCommand = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(deleteWebhook),
  parameters: { flags: globalFlags, positional: nameParameter },
  docs: {
    brief: 'Delete an outgoing webhook',
    fullDescription: describe('Deletes a webhook with its deliveries.', [
      'signalbox webhooks delete Deploys --yes',
    ]),
  },
})
