import type { Tx } from '../store/store.ts'
import type { AuditTarget, Maker } from './audit-event.ts'

/** Describes a stored audit event. */
export interface AuditEventRow {
  readonly sequence: number
  readonly id: string
  readonly at: Date
  readonly actor: Maker
  readonly action: string
  readonly target: AuditTarget
  readonly detail: Readonly<Record<string, unknown>>
  readonly request_id: string | null
  readonly ip: string | null
}

/** Describes the events that are listed. */
export interface AuditFilter {
  /** With a dot at its end, all that begin with it. Examples: `key.created`, `key.` */
  readonly action?: string | undefined
  /** The id of a person or key. */
  readonly actor?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Beginnings of words that each event has: of its author, its action, its target or its details. */
  readonly query?: string | undefined
}

const columns = 'sequence, id, at, actor, action, target, detail, request_id, ip'
/** The parameters $2 to $7 are those of `filterValues`. */
const filterSql = `org_id = $1 and ($2::text is null or action = $2) and ($3::text is null or action like $3)
  and ($4::text is null or actor ->> 'id' = $4) and ($5::timestamptz is null or at >= $5)
  and ($6::timestamptz is null or at < $6)
  and ($7::text is null or sequence in (select find_audit_events($1, $7)))`

function filterValues({ action, actor, from, to, query }: AuditFilter): unknown[] {
  const isPrefix = action?.endsWith('.') === true
  const pattern = `${action?.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return [isPrefix ? null : action, isPrefix ? pattern : null, actor, from, to, query]
}

/** Lists events of an organization before `beforeSequence`, newest first. */
export async function listEventRows(
  tx: Tx,
  orgId: string,
  filter: AuditFilter,
  {
    beforeSequence,
    limit,
  }: { readonly beforeSequence: number | undefined; readonly limit: number },
): Promise<AuditEventRow[]> {
  return tx.query<AuditEventRow>({
    // Planned for its values: which filters are set decides which index is best.
    name: '',
    text: `select ${columns} from audit_events where ${filterSql} and ($8::bigint is null or sequence < $8)
      order by sequence desc limit $9`,
    values: [orgId, ...filterValues(filter), beforeSequence, limit],
  })
}

/** Describes an event with the hash that links it to the one before it. */
export interface LinkedEventRow extends AuditEventRow {
  readonly hash: Buffer
}

/** Lists events of an organization after `afterSequence`, oldest first. */
export async function listEventsAfter(
  tx: Tx,
  orgId: string,
  filter: AuditFilter,
  { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
): Promise<LinkedEventRow[]> {
  return tx.query<LinkedEventRow>({
    name: '',
    text: `select ${columns}, hash from audit_events where ${filterSql} and sequence > $8
      order by sequence limit $9`,
    values: [orgId, ...filterValues(filter), afterSequence, limit],
  })
}

/** Describes the last event of a chain. */
export interface ChainHead {
  readonly orgId: string
  readonly sequence: number
  readonly hash: Buffer
}

/** Lists the ends of all chains, as the database believes them. */
export async function listChainHeads(tx: Tx): Promise<ChainHead[]> {
  return tx.query<ChainHead>({
    name: 'list-chain-heads',
    text: 'select org_id as "orgId", sequence, hash from audit_chains order by org_id',
    values: [],
  })
}

/** Finds the end of an organization's chain, as the database believes it. */
export async function findChainHead(tx: Tx, orgId: string): Promise<ChainHead | undefined> {
  const [row] = await tx.query<ChainHead>({
    name: 'find-chain-head',
    text: 'select org_id as "orgId", sequence, hash from audit_chains where org_id = $1',
    values: [orgId],
  })
  return row
}

/** Lists organizations that have events. Differs from the heads only when someone meddled. */
export async function listChains(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ org_id: string }>({
    name: 'list-audit-chains',
    text: 'select distinct org_id from audit_events order by org_id',
    values: [],
  })
  return rows.map((row) => row.org_id)
}

/** Describes an event of a chain with the fields that its hash covers. */
export interface ChainLink {
  readonly sequence: number
  readonly id: string
  /** The fields that the hash covers, each as the text that was hashed. */
  readonly fields: readonly string[]
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/**
 * Links of a chain after `afterSequence`, oldest first. Spells the fields out instead of calling `audit_text`:
 * a role that may change the table may change the function too.
 */
export async function listChainLinks(
  tx: Tx,
  orgId: string,
  { afterSequence, limit }: { readonly afterSequence: number; readonly limit: number },
): Promise<ChainLink[]> {
  return tx.query<ChainLink>({
    name: 'list-audit-links',
    text: `select sequence, id, previous_hash as "previousHash", hash, array[sequence::text, id,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        actor::text, action, target::text, detail::text,
        coalesce(request_id, ''), coalesce(ip, ''), coalesce(user_agent, '')] as fields
      from audit_events where org_id = $1 and sequence > $2 order by sequence limit $3`,
    values: [orgId, afterSequence, limit],
  })
}
