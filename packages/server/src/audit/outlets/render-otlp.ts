import type { EventBatch, ForwardedEvent } from './outlet.ts'

/** Holds a value of an attribute, as the JSON mapping of OTLP writes it: 64-bit integers are text. */
type AnyValue = { readonly stringValue: string } | { readonly intValue: string }

interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** INFO of the log data model: what is recorded is no fault. */
const severityNumber = 9

/**
 * Renders a batch as the body of OTLP/HTTP (`ExportLogsServiceRequest` in the JSON mapping of opentelemetry-proto 1.x). The
 * scope names the end of the chain, so that a receiver sees what it has not got yet.
 */
export function renderOtlp(
  { orgId, newest, events }: EventBatch,
  { version, observedAt }: { readonly version: string; readonly observedAt: Date },
) {
  const observedTimeUnixNano = `${observedAt.getTime()}000000`
  return {
    resourceLogs: [
      {
        resource: {
          attributes: attributesOf({
            'service.name': 'signalbox',
            'service.version': version,
            'signalbox.organization.id': orgId,
          }),
        },
        scopeLogs: [
          {
            scope: {
              name: 'signalbox.audit',
              version,
              attributes: attributesOf({
                'signalbox.audit.newest.sequence': newest.sequence,
                'signalbox.audit.newest.hash': newest.hash.toString('hex'),
              }),
            },
            logRecords: events.map((event) => ({
              timeUnixNano: `${event.micros}000`,
              observedTimeUnixNano,
              severityNumber,
              severityText: 'INFO',
              eventName: `signalbox.audit.${event.action}`,
              body: { stringValue: sentenceOf(event) },
              attributes: attributesOf(fieldsOf(event)),
            })),
          },
        ],
      },
    ],
  }
}

function fieldsOf(event: ForwardedEvent): Record<string, string | number | null> {
  const { actor, target } = event
  return {
    'signalbox.audit.id': event.id,
    'signalbox.audit.sequence': event.sequence,
    'signalbox.audit.action': event.action,
    'signalbox.audit.actor.type': actor.type,
    'signalbox.audit.actor.id': actor.id,
    'signalbox.audit.actor.name': actor.name,
    'signalbox.audit.target.type': target.type,
    'signalbox.audit.target.id': target.id,
    'signalbox.audit.target.name': target.name,
    'signalbox.audit.detail': JSON.stringify(event.detail),
    'signalbox.audit.request.id': event.requestId,
    'client.address': event.ip,
    'user_agent.original': event.userAgent,
    'signalbox.audit.previous_hash': event.previousHash.toString('hex'),
    'signalbox.audit.hash': event.hash.toString('hex'),
  }
}

/** Attributes of OTLP have values: what an event lacks is left out. */
function attributesOf(fields: Readonly<Record<string, string | number | null>>): KeyValue[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (value === null) return []
    const isNumber = typeof value === 'number'
    return [{ key, value: isNumber ? { intValue: String(value) } : { stringValue: value } }]
  })
}

function sentenceOf({ actor, action, target }: ForwardedEvent): string {
  const subject = target.name ?? target.id
  return `${actor.name}: ${action}, ${target.type}${subject === null ? '' : ` ${subject}`}`
}
