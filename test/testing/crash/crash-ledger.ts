import { bearer, read } from '../http.ts'
import type { ProofService } from '../proof-service.ts'
import { keysOf, type Acknowledged, type Writers } from './crash-writers.ts'

/** Lists the faults after a crash. Each list is empty when there are none. */
export interface Findings {
  /** Acknowledged, and not there. */
  readonly lost: string[]
  /** Refused, and there. */
  readonly resurrected: string[]
  /** There in part: without its secret, its version, its snapshot or its audit event. */
  readonly half: string[]
}

interface StoredVersion {
  readonly environment_id: string
  readonly version: number
  readonly open_values: Readonly<Record<string, string>>
  readonly secret_values: Readonly<Record<string, string>>
}

interface Pair {
  readonly environment_id: string
  readonly head: number
  readonly last_version: number
  readonly last_snapshot: number
  readonly events: number
  readonly last_event: number
}

const versionsKept = 100

/** Compares what the writers were told with what is stored. The writers must be paused. */
export async function examine(proof: ProofService, writers: Writers): Promise<Findings> {
  const findings: Findings = { lost: [], resurrected: [], half: [] }
  const pairs = await readPairs(proof, writers)
  for (const pair of pairs) {
    const { head, last_version, last_snapshot, events, last_event } = pair
    const counts = [last_version, last_snapshot, last_event, events + firstVersion]
    if (counts.some((count) => count !== head)) findings.half.push(JSON.stringify(pair))
  }
  await examineHistory(proof, writers, pairs, findings)
  await examineCurrent(writers, findings)
  const [found] = await proof.asOwner<{ count: string }>(
    `select count(*)::text as count from (
       select open_values::text as t from current_values union all select open_values::text from config_versions
       union all select body from browser_snapshots union all select body from server_snapshots) x
     where t like '%refused-%'`,
  )
  if (found?.count !== '0') findings.resurrected.push(`${found?.count} rows hold a refused marker`)
  return findings
}

/** The version a pair has when its schema is made, without a write and its audit event. */
const firstVersion = 1

function readPairs(proof: ProofService, { schemaId }: Writers): Promise<Pair[]> {
  return proof.asOwner<Pair>(
    `select h.environment_id, h.version as head,
       (select max(version) from config_versions v where v.schema_id = h.schema_id
         and v.environment_id = h.environment_id) as last_version,
       (select max(version) from server_snapshots s where s.schema_id = h.schema_id
         and s.environment_id = h.environment_id) as last_snapshot,
       (select count(*)::int from audit_events e where e.action = 'value.set'
         and e.detail ->> 'environmentId' = h.environment_id) as events,
       (select max((e.detail ->> 'version')::int) from audit_events e where e.action = 'value.set'
         and e.detail ->> 'environmentId' = h.environment_id) as last_event
     from current_values h where h.schema_id = $1`,
    [schemaId],
  )
}

/** Every write since the last look, in the history; one that the history has forgotten, in the audit log. */
async function examineHistory(
  proof: ProofService,
  writers: Writers,
  pairs: readonly Pair[],
  findings: Findings,
): Promise<void> {
  const acknowledged = writers.takeAcknowledged()
  const stored = await proof.asOwner<StoredVersion>(
    'select environment_id, version, open_values, secret_values from config_versions where schema_id = $1',
    [writers.schemaId],
  )
  const events = await proof.asOwner<{ at: string }>(
    `select detail ->> 'environmentId' || ' ' || (detail ->> 'version') as at
     from audit_events where action = 'value.set'`,
  )
  const written = new Set(events.map(({ at }) => at))
  const byPlace = new Map(stored.map((row) => [`${row.environment_id} ${row.version}`, row]))
  const heads = new Map(pairs.map(({ environment_id, head }) => [environment_id, head]))
  for (const ack of acknowledged) {
    const place = `${ack.environmentId} ${ack.version}`
    const row = byPlace.get(place)
    const oldest = (heads.get(ack.environmentId) ?? 0) - versionsKept - 10
    const isThere = row === undefined ? ack.version < oldest : holds(row, ack)
    if (!isThere || !written.has(place))
      findings.lost.push(`${ack.marker} at version ${ack.version}`)
  }
}

function holds(row: StoredVersion, { writer, marker }: Acknowledged): boolean {
  const { open, sealed } = keysOf(writer)
  return row.open_values[open] === marker && typeof row.secret_values[sealed] === 'string'
}

interface Values {
  readonly version: number
  readonly values: Readonly<Record<string, { readonly value?: string }>>
}

/** The present value of each writer, as applications read it: the last one acknowledged, or one it knows nothing of. */
async function examineCurrent(writers: Writers, findings: Findings): Promise<void> {
  const { orgId, schemaId, serverKey } = writers
  const readValues = async (environmentId: string) =>
    read(
      await writers.client().send({
        method: 'GET',
        path: `/organizations/${orgId}/config-values?schemaId=${schemaId}&environmentId=${environmentId}`,
        headers: bearer(serverKey),
      }),
    ) as Values
  const current = new Map<string, Values>()
  for (const environmentId of writers.environmentIds) {
    current.set(environmentId, await readValues(environmentId))
  }
  for (const writer of writers.all) {
    const { open, sealed } = keysOf(writer.id)
    const values = current.get(writer.environmentId)?.values ?? {}
    const value = values[open]?.value
    if (value !== values[sealed]?.value) findings.half.push(`${value} without its secret`)
    const isExpected =
      value === writer.lastAcknowledged || (value !== undefined && writer.unknown.has(value))
    if (!isExpected) findings.lost.push(`${writer.lastAcknowledged}, found ${value}`)
  }
}
