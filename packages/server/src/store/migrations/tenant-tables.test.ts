import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

/** Maps the tables that belong to no organization to the reason. */
const ofNoOrganization: Readonly<Record<string, string>> = {
  audit_outlets: 'Ways out of the server, which the settings name.',
  believed_time: 'Of the server.',
  delivery_nodes: 'Processes that serve snapshots, some of them for several organizations.',
  device_authorizations: 'A program that signs in has no organization yet.',
  failed_jobs: 'Some jobs are of the server. Such rows have to move before the table is divided.',
  nodes: 'Processes of the server.',
  oidc_attempts: 'Sign-ins under way, of people.',
  oidc_identities: 'Of people, who may be members of several organizations.',
  organizations: 'The organizations themselves, by their id.',
  personal_access_tokens: 'Of people, for all of their organizations.',
  provider_apps: 'Applications of the server at providers.',
  publisher_keys: 'Of the server.',
  publisher_state: 'Of the server.',
  received_webhook_ids: 'A webhook comes in before its organization is known.',
  received_webhooks:
    'A webhook comes in before its organization is known. It has to be claimed into another table before this one is divided.',
  recovery_codes: 'Of people.',
  replica_marks: 'Of the server: each mark is of a group of organizations.',
  replica_versions: 'Of the server: versions of records, by their names.',
  root_keys: 'Of the server.',
  second_factors: 'Of people.',
  server_keys: 'Of the server.',
  sessions: 'Of people.',
  setup: 'Of the server.',
  signalbox_migrations: 'Of the server.',
  signing_keys: 'Of the server.',
  used_manifest_states: 'Of the registration of the server at providers.',
  users: 'People, who may be members of several organizations.',
  webhook_watermarks: 'Of the applications of the server at providers.',
}

/** Maps the keys that do not begin with the organization to the reason. */
const otherKeys: Readonly<Record<string, string>> = {
  'agent_codes: agent_codes_pkey': 'The code alone comes in, and says the organization.',
  'agent_token_secrets: agent_token_secrets_pkey':
    'The token alone comes in, and says the organization.',
  'agent_tokens: agent_tokens_handle_org_id_key':
    'The token alone comes in, and says the organization.',
  'audit_positions: audit_positions_pkey':
    'Of the outlets of the server, one row for each organization.',
  'email_domains: email_domains_verified': 'A domain belongs to one organization of all.',
  'failed_jobs: failed_jobs_pkey': 'Some jobs are of the server.',
  'integrations: integrations_account':
    'An account at a provider belongs to one organization. It has to become a small table of all organizations.',
  'provider_sessions: provider_sessions_pkey':
    'A session is ended by itself, and says the organization.',
  'received_webhooks: received_webhooks_pkey': 'It comes in before its organization is known.',
  'signals: signals_id': 'Alerts come in with the id alone, which says the organization.',
  'scim_tokens: scim_tokens_handle_org_id_key':
    'The token alone comes in, and says the organization.',
}

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const tablesSql = `
  select c.relname as name, a.attnotnull as "isRequired", a.attname is not null as "hasOrganization"
  from pg_class c
  left join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

const keysSql = `
  select c.relname || ': ' || i.relname as name,
    (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum = x.indkey[0]) as first
  from pg_class c
  join pg_index x on x.indrelid = c.oid and x.indisunique
  join pg_class i on i.oid = x.indexrelid
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

interface OrganizationTable {
  readonly name: string
  readonly isRequired: boolean | null
  readonly hasOrganization: boolean
}

/** Returns the tables whose rows need not belong to an organization. */
async function listTables(): Promise<string[]> {
  const tables = await database.asOwner<OrganizationTable & Record<string, unknown>>(tablesSql)
  return tables.filter(({ isRequired }) => isRequired !== true).map(({ name }) => name)
}

/** Returns the unique keys of organizations' tables that do not begin with the organization. */
async function listKeys(): Promise<string[]> {
  const keys = await database.asOwner<{ name: string; first: string | null }>(keysSql)
  return keys.filter(({ first }) => first !== 'org_id').map(({ name }) => name)
}

describe('the table of a tenant', () => {
  it('says for each row which organization it belongs to, or why it belongs to none', async () => {
    expect((await listTables()).sort()).toEqual(Object.keys(ofNoOrganization).sort())
  })

  it('leads with the organization in every unique key, so that it can be divided by organization', async () => {
    expect((await listKeys()).sort()).toEqual(Object.keys(otherKeys).sort())
  })

  it('control: a table without it, and a key that begins otherwise, are found', async () => {
    await database.asOwner('create table planted (id text primary key)')
    await database.asOwner('create table planted_too (id text primary key, org_id text not null)')
    expect(await listTables()).toContain('planted')
    expect(await listKeys()).toContain('planted_too: planted_too_pkey')
  })
})
