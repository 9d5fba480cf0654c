import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { OutgoingWebhook } from '../../api/operations.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'
import { deleteWebhookCommand, rotateWebhookCommand } from './change-webhook.ts'
import { createWebhookCommand } from './create-webhook.ts'
import { deliveriesCommand, replayCommand, testWebhookCommand } from './deliveries.ts'

async function listWebhooks(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const webhooks = await session.progress('Reading the webhooks', () =>
    api.outgoingWebhooks(organization.id),
  )
  const { output } = session
  output.document({ webhooks })
  output.data(
    webhooks.length === 0
      ? 'There are no outgoing webhooks. Create one: signalbox webhooks create <name> --url <address>'
      : renderTable(
          webhooks.map((webhook) => [
            output.styles.bold(printable(webhook.name)),
            describeHealth(webhook, output.styles),
            printable(webhook.url),
            webhook.events.join(' '),
            output.styles.dim(webhook.id),
          ]),
        ),
  )
}

function describeHealth({ enabled, health }: OutgoingWebhook, styles: Styles): string {
  if (!enabled) return styles.dim('off')
  return health.state === 'ok' ? 'ok' : styles.red(printable(health.reason ?? health.state))
}

const list = buildCommand<GlobalFlags, [], CliContext>({
  func: action(listWebhooks),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'List the outgoing webhooks',
    fullDescription: describe(
      'Lists the addresses that events are sent to, with their health. Never shows a secret.',
      ['signalbox webhooks'],
    ),
  },
})

/** Defines `signalbox webhooks`, whose default is the list. */
export const webhooksRoutes = buildRouteMap<
  'list' | 'create' | 'test' | 'rotate' | 'deliveries' | 'replay' | 'delete',
  CliContext
>({
  routes: {
    list,
    create: createWebhookCommand,
    test: testWebhookCommand,
    rotate: rotateWebhookCommand,
    deliveries: deliveriesCommand,
    replay: replayCommand,
    delete: deleteWebhookCommand,
  },
  defaultCommand: 'list',
  docs: { brief: 'List, create, test, rotate and delete outgoing webhooks' },
})
