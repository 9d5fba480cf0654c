import { outgoingEvents, outgoingFormats } from '../../api/outgoing-webhook.ts'
import { displayName, objectOf } from '../json-schema.ts'
import type { Fields, Kind, Step, Writing } from '../kind.ts'
import { listDifferences } from '../plan.ts'
import { textOf, textsOf } from '../world.ts'

/** Declares addresses that events are sent to. Neither their signing secrets nor their headers are in the file. */
export const outgoingWebhooksKind: Kind = {
  member: 'outgoingWebhooks',
  noun: 'outgoing webhook',
  schema: {
    type: 'object',
    description:
      'Outgoing webhooks by their names. Their secrets are not in this file: signalbox webhooks rotate shows a new one.',
    propertyNames: displayName,
    additionalProperties: objectOf(
      {
        url: {
          type: 'string',
          description: 'Address that receives the events.',
          pattern: '^https?://',
          maxLength: 2000,
        },
        events: {
          type: 'array',
          description: 'Events that are sent.',
          items: { type: 'string', enum: outgoingEvents },
          minItems: 1,
          maxItems: outgoingEvents.length,
        },
        format: {
          type: 'string',
          description: 'Form of the messages: Standard Webhooks, or an annotation of Grafana.',
          enum: outgoingFormats,
        },
        enabled: { type: 'boolean', description: 'false: nothing is sent.' },
      },
      ['url', 'events'],
    ),
  },
  async read({ api, orgId }) {
    const webhooks = await api.outgoingWebhooks(orgId)
    return webhooks.map(({ name, url, events: chosen, format, enabled, hasAuthorization }) => ({
      key: name,
      fields: { url, events: chosen, format, enabled },
      ...(hasAuthorization && { remarks: { url: 'has an Authorization header' } }),
    }))
  },
  async write(writing, { steps }) {
    for (const step of steps) {
      if (step.change === 'delete') continue
      await writeWebhook(writing, step)
      writing.done(step)
    }
  },
  async remove({ world: { api, orgId }, done }, { steps }) {
    for (const step of steps) {
      if (step.change !== 'delete') continue
      const { id } = await api.outgoingWebhook(orgId, step.key)
      await api.call('deleteOutgoingWebhook', { params: { org_id: orgId, webhook_id: id } })
      done(step)
    }
  },
  // The command never shows a secret.
  adviseOnCreated: (key) =>
    `The receiver of ${key} needs its signing secret: signalbox webhooks rotate ${JSON.stringify(key)} --overlap 0`,
}

async function writeWebhook(
  { world: { api, orgId } }: Writing,
  step: Exclude<Step, { readonly change: 'delete' }>,
): Promise<void> {
  const body = toBody(step.after)
  if (step.change === 'create') {
    // The answer holds the secret, which is neither kept nor shown here.
    await api.call('createOutgoingWebhook', {
      params: { org_id: orgId },
      body: { ...body, name: step.key },
    })
    return
  }
  const changed = new Set<string>(
    listDifferences(step.before, step.after).map(({ member }) => member),
  )
  const { id } = await api.outgoingWebhook(orgId, step.key)
  await api.call('updateOutgoingWebhook', {
    params: { org_id: orgId, webhook_id: id },
    // An address that is sent again forgets its health, so only the changed members are sent.
    body: Object.fromEntries(Object.entries(body).filter(([name]) => changed.has(name))),
  })
}

function toBody(fields: Fields) {
  return {
    url: textOf(fields['url']),
    events: outgoingEvents.filter((event) => textsOf(fields['events']).includes(event)),
    format: outgoingFormats.find((format) => format === fields['format']) ?? 'generic',
    enabled: fields['enabled'] !== false,
  }
}
