import {
  credentialId,
  grantAll,
  keepToOrganization,
  keepToOwn,
  orgId,
  showToo,
  userId,
} from '../access.ts'

/** Lists the tables of organizations: each row belongs to the one of its `org_id`. */
const organizationTables = [
  'data_keys',
  'members',
  'api_keys',
  'api_key_secrets',
  'api_key_uses',
  'environments',
  'config_schemas',
  'config_heads',
  'config_versions',
  'browser_snapshots',
  'server_snapshots',
  'audit_heads',
  'audit_events',
]

/** Of these a request reads any row, because it looks for the person, and writes those of its own person. */
const personTables = [
  { name: 'users', owner: 'id' },
  { name: 'sessions', owner: 'user_id' },
  { name: 'personal_access_tokens', owner: 'user_id' },
]

/** Lists the tables of the server itself, whose rows belong to nobody. */
const serverTables = ['root_keys', 'signing_keys', 'setup']

/** Lists the tables that the delivery reads, of every organization. */
export const publishedTables = [
  'organizations',
  'data_keys',
  'signing_keys',
  'api_keys',
  'api_key_secrets',
  'browser_snapshots',
  'server_snapshots',
]

const allTables = [
  ...organizationTables,
  ...personTables.map(({ name }) => name),
  ...serverTables,
  'organizations',
  'idempotency_keys',
]

const policiesSql = [
  ...organizationTables.map(keepToOrganization),
  keepToOwn('organizations', `id = ${orgId}`),
  // A person's memberships are read before the request has an organization.
  showToo('members', `user_id = ${userId}`),
  showToo(
    'organizations',
    `exists (select from members where members.org_id = organizations.id and members.user_id = ${userId})`,
  ),
  // A repeat must come from the credential that got the first answer.
  keepToOwn(
    'idempotency_keys',
    `credential_id = ${credentialId} and (org_id = '' or org_id = ${orgId})`,
  ),
  ...personTables.flatMap(({ name, owner }) => [
    keepToOwn(name, `${owner} = ${userId}`),
    showToo(name, 'true'),
  ]),
  ...publishedTables
    .filter((table) => table !== 'signing_keys')
    .map(
      (table) =>
        `create policy delivery on ${table} for select to signalbox_delivery using (true);`,
    ),
]

const auditTables: ReadonlySet<string> = new Set(['audit_heads', 'audit_events'])

/** Nobody changes an audit event. Maintenance adds and removes them, when it replaces the database by an export. */
const grantsSql = [
  ...allTables.map((table) => `grant select, insert, delete on ${table} to signalbox_maintenance;`),
  ...allTables
    .filter((table) => table !== 'audit_events')
    .map((table) => `grant update on ${table} to signalbox_maintenance;`),
  ...allTables
    .filter((table) => !auditTables.has(table) && !serverTables.includes(table))
    .map((table) => grantAll(table, 'signalbox_app')),
  'grant select, insert, update on setup to signalbox_app;',
  // Wrapping a data key locks the check ids of the root keys. PostgreSQL requires the right to update some column for
  // that.
  'grant select, update (created_at) on root_keys to signalbox_app;',
  'grant select on audit_events, audit_heads to signalbox_app;',
  'revoke all on function append_audit_event from public;',
  'grant execute on function append_audit_event to signalbox_app, signalbox_maintenance;',
  ...publishedTables.map((table) => `grant select on ${table} to signalbox_delivery;`),
  'revoke all on function record_key_uses from public;',
  'grant execute on function record_key_uses to signalbox_delivery;',
]

/** Creates row level security and grants: the rows and tables that each role may read and write. */
export const accessSql = [...policiesSql, ...grantsSql].join('\n')
