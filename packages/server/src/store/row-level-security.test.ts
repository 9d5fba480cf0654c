import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlStateOf } from './store-problem.ts'
import { rawQuery } from './raw-query.ts'
import { integrationRowsSql } from './testing/integration-rows.ts'
import { openTestStore, type TestStore } from './testing/test-database.ts'
import type { Tx } from './store.ts'

/** A row of `own` in each table that has an `org_id`; each gets a twin in `foreign`. */
const rowsSql = `
  insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada'), ('usr_2', 'bob@example.com', 'Bob');
  insert into organizations (id, slug, name) values ('own', 'own', 'Own'), ('foreign', 'foreign', 'Foreign');
  insert into data_keys (org_id, version, wrapped, root_key_id) values ('own', 1, '\\x00', 'rk_1');
  insert into members (org_id, user_id, role) values ('own', 'usr_1', 'viewer');
  insert into api_keys (org_id, id, name, kind, created_by) values ('own', 'key_1', 'k', 'm2m', '{}');
  insert into api_key_secrets (org_id, key_id, handle, hash) values ('own', 'key_1', 'h', '\\x00');
  insert into api_key_uses (org_id, key_id, last_used_at) values ('own', 'key_1', now());
  insert into idempotency_keys (org_id, credential_id, route, key, request_hash)
    values ('own', 'key_1', 'create', 'k', 'h');
  insert into environments (org_id, id, name) values ('own', 'env_1', 'production');
  insert into config_schemas (org_id, id, name, definition) values ('own', 'sch_1', 's', '{}');
  insert into current_values (org_id, schema_id, environment_id) values ('own', 'sch_1', 'env_1');
  insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes, open_values, secret_values)
    values ('own', 'sch_1', 'env_1', 1, 'ver_1', 'write', '{}', '[]', '{}', '{}');
  insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
    values ('own', 'sig_1', 's', 'alert', '{}', now(), now(), '{}');
  insert into proofs (org_id, id, schema_id, environment_id, version, version_id, write_id, origins, keys, reached, killed_keys, terms, state,
      started_at, watched_at, until) values ('own', 'prf_1', 'sch_1', 'env_1', 1, 'ver_1', 'w', '[]', '{}', '{}', '{}', '{}', 'watching',
      now(), now(), now());
  insert into proof_readings (org_id, proof_id, signal_id, at, fence, verdict)
    values ('own', 'prf_1', 'sig_1', now(), 0, 'good');
  insert into proof_watches (org_id, due_at) values ('own', now());
  -- With so few members, nobody can meet it: a trigger notes that.
  update environments set approvals = 3, override_by = 'nobody' where org_id = 'own';
  insert into segments (org_id, name, description, version, any_of, created_at, updated_at, updated_by)
    values ('own', 'staff', '', 1, '[]', now(), now(), '{}');
  insert into segment_versions (org_id, segment, version, author, created_at, description, any_of)
    values ('own', 'staff', 1, '{}', now(), '', '[]');
  insert into segment_uses (org_id, segment, schema_id, environment_id, flag)
    values ('own', 'staff', 'sch_1', 'env_1', 'beta');
  insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag)
    values ('own', 'sch_1', 'env_1', 1, 's', 'production', 'e');
  insert into server_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag)
    values ('own', 'sch_1', 'env_1', 1, 's', 'production', 'e');
  insert into audit_chains (org_id, sequence, hash) values ('own', 1, '\\x00');
  insert into audit_events (org_id, sequence, id, at, actor, action, target, detail, previous_hash, hash)
    values ('own', 1, 'evt_1', now(), '{}', 'org.created', '{}', '{}', '\\x00', '\\x00');
  insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, sealed_secrets, has_authorization, created_at)
    values ('own', 'whk_1', 'w', 'https://a.example', '{}', 'generic', true, '\\x00', false, now());
  insert into outgoing_messages (org_id, id, webhook_id, type, data, created_at)
    values ('own', 'msg_1', 'whk_1', 'webhook.test', '{}', now());
  insert into targets (org_id, id, name, schema_id, environment_id, provider, destination, address, address_data,
      destination_name, tiers, keys, prefix, state, created_at)
    values ('own', 'tgt_1', 't', 's', 'e', 'github', '{}', 'p', '{}', 'd', '{}', '{}', '', 'planned', now());
  insert into target_names (org_id, target_id, slot, store, name, key, state)
    values ('own', 'tgt_1', 'secret/A', 'secret', 'A', 'a', 'written');
  insert into member_groups (org_id, id, name, source, created_at, created_by)
    values ('own', 'grp_1', 'g', 'manual', now(), '{}');
  insert into group_members (org_id, group_id, user_id) values ('own', 'grp_1', 'usr_1');
  insert into access_grants (org_id, id, user_id, role, created_at, created_by)
    values ('own', 'gnt_1', 'usr_1', 'admin', now(), '{}');
  insert into organization_policies (org_id, changed_at, changed_by) values ('own', now(), '{}');
  insert into api_key_secret_reads (org_id, key_id, day, reads) values ('own', 'key_1', '2026-11-01', 1);
  insert into secret_notices (org_id, schema_id, environment_id, key, due_at, days, reason, created_at)
    values ('own', 'sch_1', 'env_1', 'k', now(), 3, 'end', now());
  insert into change_requests (org_id, id, number, title, reason, state, kind, revision, version, author, environment_ids, created_at,
      updated_at, expires_at) values ('own', 'chr_1', 1, 't', '', 'waiting', 'values', 1, 1, '{}', '{}', now(), now(), now());
  insert into change_request_revisions (org_id, request_id, revision, operation, omitted, effects, created_at)
    values ('own', 'chr_1', 1, '{}', '{}', '[]', now());
  insert into change_request_reviews (org_id, request_id, position, revision, user_id, name, verdict, text, created_at)
    values ('own', 'chr_1', 1, 1, 'usr_1', 'Ada', 'approve', '', now());
  insert into change_request_versions (org_id, version_id, request_id) values ('own', 'ver_1', 'chr_1');
  insert into repositories (org_id, id, full_name) values ('own', 'rep_gate', 'acme/gate');
  insert into preview_rules (org_id, id, pattern, repositories, parent_id, expires_days, max, created_at, updated_at)
    values ('own', 'prv_1', 'pr-*', '{}', 'env_1', 14, 50, now(), now());
  insert into previews (org_id, repository_id, host_environment, name, state, created_at)
    values ('own', 'rep_gate', 'pr-1', 'pr-1', 'deleted', now());
  insert into pull_requests (org_id, repository_id, number, state, head_sha, head_ref, is_fork, host_updated_at)
    values ('own', 'rep_gate', 1, 'open', 'a', 'b', false, now());
  insert into commit_checks (org_id, id, repository_id, sha, is_fork, conclusion, results, uploaded_at, checked_at)
    values ('own', 'chk_1', 'rep_gate', 'a', false, 'success', '[]', now(), now());
  insert into commit_definitions (org_id, check_id, schema_name, definition, hash) values ('own', 'chk_1', 's', '{}', 'h');
  insert into commit_check_dues (org_id, due_at) values ('own', now());
  insert into gates (org_id, id, name, environment_ids, repositories, mode, rules, created_at, updated_at)
    values ('own', 'gat_1', 'g', '{}', '{}', 'watch', '[]', now(), now());
  insert into gate_decisions (org_id, id, repository_id, sha, is_fork, host_environment, run_id, attempt, via, state, reasons, asked_at,
      heard_at, judge_at, answer_state)
    values ('own', 'gdc_1', 'rep_gate', 'a', false, 'production', '1', 1, 'step', 'waiting', '[]', now(), now(), now(), 'none');
  insert into gate_approvals (org_id, decision_id, user_id, name, at) values ('own', 'gdc_1', 'usr_1', 'Ada', now());
  insert into environment_freezes (org_id, environment_id, until, reason, frozen_by, frozen_at)
    values ('own', 'env_1', now(), 'r', '{}', now());
  insert into rollout_plans (org_id, id, schema_id, environment_id, flag, rule_id, steps, position, state, next_at, covered, author,
      created_at, updated_at) values ('own', 'pln_1', 'sch_1', 'env_1', 'beta', 'rul_1', '[]', 0, 'paused', now(), '{}', '{}', now(), now());
  insert into release_templates (org_id, id, name, steps, created_at) values ('own', 'rtp_1', 't', '[]', now());
  insert into email_domains (org_id, domain, challenge, created_at, created_by) values ('own', 'a.example', 'c', now(), '{}');
  insert into scim_tokens (org_id, id, name, handle, hash, created_at, created_by)
    values ('own', 'key_6', 't', 'h4', '\\x00', now(), '{}');
  insert into scim_users (org_id, user_id, attributes, created_at, updated_at) values ('own', 'usr_1', '{}', now(), now());
  insert into scim_group_members (org_id, group_id, user_id) values ('own', 'grp_1', 'usr_1');
  insert into sign_in_providers (org_id, id, name, issuer, client_id, sealed_secret, groups_claim, created_at, created_by)
    values ('own', 'idp_1', 'p', 'https://id.example', 'c', '\\x00', 'groups', now(), '{}');
  insert into provider_identities (org_id, provider_id, subject, user_id, created_at)
    values ('own', 'idp_1', 's', 'usr_1', now());
  insert into sessions (token_hash, user_id, expires_at) values ('\\x01', 'usr_1', now()), ('\\x02', 'usr_2', now());
  insert into personal_access_tokens (id, user_id, name, handle, hash)
    values ('key_8', 'usr_1', 't', 'h1', '\\x00'), ('key_9', 'usr_2', 't', 'h2', '\\x00');
  insert into agent_tokens (org_id, id, user_id, name, scope, handle, hash, created_at, expires_at)
    values ('own', 'key_7', 'usr_1', 't', 'read', 'h3', '\\x00', now(), now());
  insert into agent_codes (org_id, hash, user_id, client_id, redirect_uri, challenge, scope, expires_at)
    values ('own', '\\x01', 'usr_1', 'c', 'r', 'x', 'read', now());
  insert into agent_token_secrets (org_id, hash, agent_token_id, kind, expires_at)
    values ('own', '\\x01', 'key_7', 'access', now());
  insert into second_factors (user_id, sealed, created_at) values ('usr_1', '\\x00', now()), ('usr_2', '\\x00', now());
  insert into recovery_codes (user_id, hash) values ('usr_1', '\\x00'), ('usr_2', '\\x00');
  insert into provider_sessions (token_hash, org_id, provider_id, user_id, subject)
    values ('\\x01', 'own', 'idp_1', 'usr_1', 's'), ('\\x02', 'own', 'idp_1', 'usr_2', 't')`

interface OwnedTable {
  readonly table: string
  /** The column that says whose a row is. */
  readonly owner: string
  /** Those that are written; the others the database works out. */
  readonly columns: string
}

/** Has rows of organizations that no request reads or writes. */
const maintenanceTables = ['audit_positions', 'used_logout_tokens']
/** Has rows of a person, which also name an organization. */
const personTables = ['provider_sessions']

/** Tables whose rows belong to an organization and that requests use. */
async function findTables(test: TestStore): Promise<OwnedTable[]> {
  const rows = await test.asOwner<{ table: string; columns: string; owned: boolean }>(
    `select table_name as table, bool_or(column_name = 'org_id') as owned,
       string_agg(quote_ident(column_name), ', ') filter (where is_generated = 'NEVER' and is_identity = 'NO') as columns
     from information_schema.columns where table_schema = 'public' group by 1 order by 1`,
  )
  return rows
    .filter(({ table }) => !/^received_webhooks_(?:default|\d{8})$/.test(table))
    .filter(({ table, owned }) => owned || table === 'organizations')
    .filter(({ table }) => ![...maintenanceTables, ...personTables].includes(table))
    .map(({ table, columns }) => {
      return { table, columns, owner: table === 'organizations' ? 'id' : 'org_id' }
    })
}

let test: TestStore
let tables: OwnedTable[]

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(rowsSql)
  await test.asOwner(integrationRowsSql)
  tables = await findTables(test)
  const twins = tables
    // The keys of some do not begin with the organization, so both have a row from the start.
    .filter(({ table }) => !['organizations', 'received_webhooks', 'failed_jobs'].includes(table))
    .map(
      ({ table, columns }) =>
        // Some are found by a hash alone.
        `insert into ${table} (${columns}) select ${columns}
         from (select (jsonb_populate_record(t, '{"org_id": "foreign", "hash": "\\\\x02"}')).* from ${table} t) twin`,
    )
  await test.asOwner(`set session_replication_role = replica; ${twins.join(';')}`)
})
afterAll(() => test.close())

/** The person is a member of both organizations, and asks about their own. */
const scope = { orgId: 'own', userId: 'usr_1' }
const claim = {
  orgId: 'own',
  credentialId: 'key_1',
  route: 'other',
  requestHash: 'h',
  status: 200,
  record: () => null,
}
let keys = 0

/** As a request with an `Idempotency-Key` runs, which is when all three settings are set. */
function ask<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const idempotency = { ...claim, key: `k ${++keys}` }
  return test.store.transaction({ ...scope, idempotency }, work)
}

/** Says how a write ended: the SQL state it was refused with, or how many rows it changed. */
async function write(sql: string, values: unknown[] = []): Promise<string | number> {
  try {
    return (await ask((tx) => rawQuery(tx, `${sql} returning 1`, values))).length
  } catch (error) {
    return sqlStateOf(error) ?? String(error)
  }
}

const denied = '42501'
const refused: readonly (string | number)[] = [denied, 0]

/** Of the server, with nothing of an organization: hashes, check ids, public keys and names of migrations. */
const serverTables = ['root_keys', 'setup', 'signalbox_migrations', 'signing_keys']

describe('row level security', () => {
  it('is on and forced in every table but four of the server, so that it binds their owner as well', async () => {
    const secured = await test.asOwner<{ table: string; is_on: boolean; is_forced: boolean }>(
      `select relname as table, relrowsecurity as is_on, relforcerowsecurity as is_forced
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    expect(secured.length).toBeGreaterThan(tables.length)
    const open = secured.filter(({ is_on, is_forced }) => !is_on || !is_forced)
    expect(open.map(({ table }) => table)).toEqual(serverTables)
  })
})

describe('a request, in every table with rows of organizations', () => {
  it('finds rows of both organizations', async () => {
    expect(tables.length).toBeGreaterThan(14)
    for (const { table, owner } of tables) {
      const rows = await test.asOwner(`select distinct ${owner} from ${table} where ${owner} <> ''`)
      expect([table, rows.length]).toEqual([table, 2])
    }
  })

  it('adds nothing to a foreign organization, of which its person may be a member', async () => {
    for (const { table, owner, columns } of tables) {
      const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`
      const [row] = await test.asOwner<{ row: unknown }>(
        `select to_jsonb(t) as row from ${table} t where ${owner} = 'foreign'`,
      )
      expect([table, await write(insert, [JSON.stringify(row?.row)])]).toEqual([table, denied])
    }
  })

  it('changes and removes nothing of a foreign organization', async () => {
    for (const { table, owner } of tables) {
      const update = `update ${table} set ${owner} = ${owner} where ${owner} = 'foreign'`
      expect([table, refused]).toEqual([table, expect.arrayContaining([await write(update)])])
      const remove = `delete from ${table} where ${owner} = 'foreign'`
      expect([table, refused]).toEqual([table, expect.arrayContaining([await write(remove)])])
    }
  })

  it('gives nothing of its own away', async () => {
    for (const { table, owner } of tables) {
      const update = `update ${table} set ${owner} = 'foreign' where ${owner} = 'own'`
      expect([table, await write(update)]).toEqual([table, denied])
    }
  })

  it('sees nothing of a foreign organization but that its person is a member, with what that means for them', async () => {
    const seen: string[] = []
    for (const { table, owner } of tables) {
      const sql = `select 1 from ${table} where ${owner} = 'foreign'`
      if ((await ask((tx) => rawQuery(tx, sql))).length > 0) seen.push(table)
    }
    const own = ['access_grants', 'group_members', 'members', 'organization_policies']
    expect(seen).toEqual([...own, 'organizations'])
  })

  it('sees nothing without an organization and a person: an owner that is NULL owns nothing (GHSA-cq3f-vc6p-68fh)', async () => {
    // Of no organization yet, as a webhook is before anybody knows whose it is.
    await test.asOwner(`insert into received_webhooks (id, provider, delivery_id, event, headers, body, origin)
      values ('dlv_3', 'github', 'g3', 'push', '{}', '\\x00', 'push')`)
    const seen: string[] = []
    for (const orgId of [null, '']) {
      for (const { table } of tables) {
        const sql = `select 1 from ${table}`
        const rows = await test.store.transaction({ orgId, userId: orgId }, (tx) =>
          rawQuery(tx, sql),
        )
        if (rows.length > 0) seen.push(table)
      }
    }
    expect(seen).toEqual([])
  })

  it('does reach its own rows', async () => {
    for (const { table, owner } of tables.filter((each) => !each.table.startsWith('audit_'))) {
      const update = `update ${table} set ${owner} = ${owner} where ${owner} = 'own'`
      expect([table, Number(await write(update)) > 0]).toEqual([table, true])
    }
  })
})

describe('a request, in every table that only maintenance uses', () => {
  it('reads and writes nothing', async () => {
    for (const table of maintenanceTables) {
      expect([table, await write(`update ${table} set org_id = org_id`)]).toEqual([table, denied])
      const read = ask((tx) => rawQuery(tx, `select 1 from ${table}`))
      await expect(read).rejects.toMatchObject({ code: denied })
    }
  })
})

describe('a person', () => {
  it('does not join an organization, and is not made its owner', async () => {
    const join = `insert into members (org_id, user_id, role) values ('foreign', 'usr_2', 'owner')`
    expect(await write(join)).toBe(denied)
    expect(await write(`update members set role = 'owner' where org_id = 'foreign'`)).toBe(0)
    expect(await write(`update organizations set name = 'Taken' where id = 'foreign'`)).toBe(0)
  })

  it('writes no session, token or account of another', async () => {
    const session = 'insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now())'
    expect(await write(session, [Buffer.from([3]), 'usr_2'])).toBe(denied)
    expect(await write(session, [Buffer.from([4]), 'usr_1'])).toBe(1)
    for (const sql of [
      `update sessions set expires_at = now() where user_id = 'usr_2'`,
      `delete from sessions where user_id = 'usr_2'`,
      `update personal_access_tokens set revoked_at = null where user_id = 'usr_2'`,
      `update users set password_hash = 'x' where id = 'usr_2'`,
    ]) {
      expect([sql, await write(sql)]).toEqual([sql, 0])
    }
    expect(await write(`update sessions set user_id = 'usr_2' where user_id = 'usr_1'`)).toBe(
      denied,
    )
  })

  it('sees and changes no second factor but the own one', async () => {
    for (const table of ['second_factors', 'recovery_codes', 'provider_sessions']) {
      const seen = await ask((tx) => rawQuery(tx, `select user_id from ${table}`))
      expect([table, seen]).toEqual([table, [{ user_id: 'usr_1' }]])
      expect(await write(`delete from ${table} where user_id = 'usr_2'`)).toBe(0)
      expect(await write(`update ${table} set user_id = 'usr_2' where user_id = 'usr_1'`)).toBe(
        denied,
      )
    }
  })

  it('sees no stored answer of another credential, and none without an Idempotency-Key', async () => {
    await test.asOwner(`insert into idempotency_keys (org_id, credential_id, route, key, request_hash)
      values ('own', 'key_2', 'create', 'k', 'h'), ('', 'key_2', 'create', 'k', 'h')`)
    const sql = `select distinct credential_id from idempotency_keys`
    expect(await ask((tx) => rawQuery(tx, sql))).toEqual([{ credential_id: 'key_1' }])
    expect(await test.store.transaction(scope, (tx) => rawQuery(tx, sql))).toEqual([])
  })
})

describe('the keys of the server', () => {
  it('are not changed by requests', async () => {
    await test.asOwner(`insert into root_keys (id, state) values ('rk_1', 'active')`)
    expect(await write(`update root_keys set state = 'retiring'`)).toBe(denied)
    expect(await write('delete from root_keys')).toBe(denied)
    expect(await write(`insert into signing_keys (id, public_jwk) values ('key', '{}')`)).toBe(
      denied,
    )
  })
})

describe('a table of the server alone', () => {
  it('is hidden from requests', async () => {
    for (const table of ['server_keys', 'provider_apps', 'used_manifest_states']) {
      for (const sql of [`select 1 from ${table}`, `delete from ${table}`]) {
        const asked = ask((tx) => rawQuery(tx, sql)).catch(sqlStateOf)
        expect([sql, await asked]).toEqual([sql, denied])
      }
    }
  })
})

describe('an audit event', () => {
  it('cannot be changed, not even by maintenance', async () => {
    const change = test.store.maintenance((tx) =>
      rawQuery(tx, `update audit_events set action = 'other'`),
    )
    await expect(change).rejects.toMatchObject({ code: denied })
  })
})

/** Says how a statement of the role that delivers ended. */
async function deliver(text: string): Promise<string | number> {
  try {
    return (await test.store.delivery.query({ name: text.slice(0, 60), text, values: [] })).length
  } catch (error) {
    return sqlStateOf(error) ?? String(error)
  }
}

describe('the role that delivers', () => {
  it('writes no table', async () => {
    const all = await test.asOwner<{ table: string; column: string }>(
      `select table_name as table, min(column_name) as column from information_schema.columns
       where table_schema = 'public' group by 1 order by 1`,
    )
    expect(all.length).toBeGreaterThan(20)
    for (const { table, column } of all) {
      for (const sql of [
        `insert into ${table} default values`,
        `update ${table} set ${column} = default`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        expect([sql, await deliver(sql)]).toEqual([sql, denied])
      }
    }
    const writable = await test.asOwner(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_any_column_privilege('signalbox_delivery', oid, 'insert, update, references')`,
    )
    expect(writable).toEqual([])
  })

  it('calls three functions with more rights than its own, which record uses of keys, reads of secrets and reports of nodes', async () => {
    const note = `select record_key_uses('{own}', '{key_1}', array[now()])`
    expect(await deliver(note)).toBe(1)
    const functions = await test.asOwner(
      `select rolname as role, proname as name, array_to_string(proconfig, ',') as settings
       from pg_proc cross join pg_roles
       where prosecdef and rolname in ('signalbox_app', 'signalbox_delivery')
         and has_function_privilege(pg_roles.oid, pg_proc.oid, 'execute') order by 1, 2`,
    )
    // Names are looked up in the schema of the service, whatever the caller makes of its search path.
    const settings = 'search_path=public, pg_temp'
    expect(functions).toEqual([
      { role: 'signalbox_app', name: 'append_audit_event', settings },
      { role: 'signalbox_app', name: 'are_members', settings },
      { role: 'signalbox_app', name: 'find_audit_events', settings },
      { role: 'signalbox_app', name: 'find_member_policies', settings },
      { role: 'signalbox_app', name: 'find_stuck_policies', settings },
      { role: 'signalbox_app', name: 'has_second_factor', settings },
      { role: 'signalbox_app', name: 'is_integration_account_taken', settings },
      { role: 'signalbox_app', name: 'is_linked_to_provider', settings },
      { role: 'signalbox_delivery', name: 'record_delivery_nodes', settings },
      { role: 'signalbox_delivery', name: 'record_key_uses', settings },
      { role: 'signalbox_delivery', name: 'record_secret_reads', settings },
    ])
  })
})

describe('control', () => {
  it('a policy for reading that also allows writing lets a person join a foreign organization', async () => {
    await test.asOwner(`drop policy app_reads on members;
      create policy app_reads on members for all to signalbox_app
        using (user_id = nullif(current_setting('app.user_id', true), ''));
      -- What triggers note of a change belongs to its organization too, and would stop it.
      alter policy app on live_changes with check (true);`)
    expect(await write(`update members set role = 'owner' where org_id = 'foreign'`)).toBe(1)
    expect(await write(`delete from members where org_id = 'foreign'`)).toBe(1)
    const join = `insert into members (org_id, user_id, role) values ('foreign', 'usr_1', 'owner')`
    expect(await write(join)).toBe(1)
  })
})
