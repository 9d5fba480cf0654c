import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js'

/** Describes a record as a receiver of OTLP reads it. */
export interface ReceivedRecord {
  readonly orgId: string
  readonly sequence: number
  readonly hash: string
  readonly previousHash: string
  readonly newest: { readonly sequence: number; readonly hash: string }
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Describes what is used of the generated types: they come without declarations. */
interface Message {
  fromObject(object: unknown): object
  encode(message: object): { finish(): Uint8Array }
  decode(bytes: Uint8Array): object
  toObject(message: object, options: object): unknown
}

const { opentelemetry } = root as unknown as {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly logs: { readonly v1: { readonly ExportLogsServiceRequest: Message } }
      }
    }
  }
}
const request = opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest

/**
 * Reads a request with the types that OpenTelemetry has published. Throws where they do not know a field, or hold another
 * value of it.
 */
export function readRequest(body: string): unknown {
  const given: unknown = JSON.parse(body)
  const message = request.fromObject(given)
  const encoded = request.encode(message).finish()
  const read = request.toObject(request.decode(encoded), { longs: String, json: true })
  // `toObject` leaves out no field that it knows, so what is left out is unknown.
  if (canonical(read) !== canonical(given)) {
    throw new Error(`OTLP reads ${JSON.stringify(read)}`)
  }
  return given
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a.localeCompare(b)))
      : inner,
  )
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

interface Request {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeLogs: readonly {
      readonly scope: { readonly attributes: readonly Attribute[] }
      readonly logRecords: readonly { readonly attributes: readonly Attribute[] }[]
    }[]
  }[]
}

function toFields(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )
}

/** Reads the records of a request in their order. */
export function readRecords(body: string): ReceivedRecord[] {
  const { resourceLogs } = readRequest(body) as Request
  return resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map((record) => {
        const attributes = toFields(record.attributes)
        const ofScope = toFields(scope.attributes)
        return {
          orgId: String(toFields(resource.attributes)['signalbox.organization.id']),
          sequence: Number(attributes['signalbox.audit.sequence']),
          hash: String(attributes['signalbox.audit.hash']),
          previousHash: String(attributes['signalbox.audit.previous_hash']),
          newest: {
            sequence: Number(ofScope['signalbox.audit.newest.sequence']),
            hash: String(ofScope['signalbox.audit.newest.hash']),
          },
          attributes,
        }
      }),
    ),
  )
}

/** Lists what a receiver sees that it lacks. Example: `org_a: 201 to 400`. */
export function findGaps(records: readonly ReceivedRecord[]): string[] {
  const gaps: string[] = []
  for (const [orgId, all] of Map.groupBy(records, (each) => each.orgId)) {
    // Repeats are equal: the first of each is looked at.
    const first = new Map(all.toReversed().map((each) => [each.sequence, each]))
    const newest = all.reduce(
      (newest, each) => (each.newest.sequence > newest.sequence ? each.newest : newest),
      { sequence: 0, hash: '' },
    )
    let last = { sequence: 0, hash: '00' }
    for (const each of [...first.values()].toSorted((a, b) => a.sequence - b.sequence)) {
      if (each.previousHash !== last.hash) {
        gaps.push(`${orgId}: ${last.sequence + 1} to ${each.sequence - 1}`)
      }
      last = each
    }
    if (last.hash !== newest.hash) gaps.push(`${orgId}: ${last.sequence + 1} to ${newest.sequence}`)
  }
  return gaps
}
