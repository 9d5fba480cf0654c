import { watchSql } from './0001-baseline/live.ts'
import { announceProofsSql } from './0010-proofs/announce-proofs.ts'
import { stuckPoliciesSql } from './0010-proofs/stuck-policies.ts'
import { ofOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds the sources of news about changes, and the watch over each change that is live. */
export const proofs: Migration = {
  name: '0010-proofs',
  indexes: [
    {
      name: 'test_runs_of_proof',
      on: `test_runs (org_id, rule_key) where rule_key like 'proof:%'`,
    },
  ],
  sql: `
-- Null: changes are not watched. { signals, minutes, failures, noData, onFailure }
alter table environments add column prove jsonb;
-- The version of configuration that a run was started for. Null: none.
alter table test_runs add column config_version integer;

create table signals (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('tests', 'alert', 'prometheus', 'http')),
  spec jsonb not null,
  -- { authorization } or { clientSecret }
  sealed bytea,
  -- SHA-256 of the secret of its address.
  secret_hash bytea,
  -- Which alerts are firing: fingerprint -> the time since when.
  firing jsonb not null default '{}',
  -- When alerts were received last. Null: never.
  heard_at timestamptz,
  -- { at, verdict, value, detail }
  last jsonb,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- As of keys: who, and with what.
  created_by json not null,
  primary key (org_id, id)
);
create unique index signals_name on signals (org_id, lower(name));
create unique index signals_id on signals (id, org_id);
${ofOrganization('signals')}
${watchSql({ table: 'signals', on: ['insert', 'update', 'delete'], says: [['signal', 'r.id']] })}

create table proofs (
  org_id text not null,
  id text not null,
  schema_id text not null,
  environment_id text not null,
  version integer not null,
  version_id text not null,
  -- The proofs of one write have the same.
  write_id text not null,
  -- [{ environmentId, version }]: where the write set something that is read here, nearest first. Empty: it set no values.
  origins jsonb not null,
  keys text[] not null,
  -- { environment id: keys }: what readers of each environment got otherwise by the write.
  reached jsonb not null,
  -- Those of them that a kill switch turned off.
  killed_keys text[] not null,
  terms jsonb not null,
  author_id text,
  state text not null check (state in ('watching', 'proven', 'failed', 'inconclusive', 'stopped')),
  -- Ties what was read to what it was read for: counts each time that the proof begins to be watched.
  fence integer not null default 0,
  started_at timestamptz not null,
  -- When its signals were read last, or when it began to wait.
  watched_at timestamptz not null,
  until timestamptz not null,
  -- The proof of a later change, which is judged first.
  waits_for text,
  ended_at timestamptz,
  -- { code, signal, detail }
  reason jsonb,
  -- [{ environmentId, versionId, version, keys }]
  restored jsonb,
  -- The environments in which a change was taken back.
  restored_in text[] not null default '{}',
  -- { code, keys, detail }
  not_restored jsonb,
  -- { member, as }
  stopped jsonb,
  primary key (org_id, id),
  unique (org_id, schema_id, environment_id, version),
  foreign key (org_id, schema_id, environment_id)
    references current_values (org_id, schema_id, environment_id) on delete cascade
);
create index proofs_watching on proofs (org_id, environment_id) where state = 'watching';
create index proofs_restored on proofs (org_id, ended_at) where restored_in <> '{}';
create index proofs_of_version on proofs (org_id, version_id);
create index proofs_of_write on proofs (org_id, write_id);
create index proofs_ended on proofs (ended_at) where ended_at is not null;
${ofOrganization('proofs')}
${watchSql({ table: 'proofs', on: ['insert', 'update'], says: [['proof', 'r.id']] })}

create table proof_readings (
  org_id text not null,
  proof_id text not null,
  signal_id text not null,
  at timestamptz not null,
  fence integer not null,
  verdict text not null check (verdict in ('good', 'bad', 'none')),
  value double precision,
  detail text,
  -- Orders them although the clock may jump.
  number bigint generated always as identity,
  primary key (org_id, proof_id, signal_id, at),
  foreign key (org_id, proof_id) references proofs (org_id, id) on delete cascade
);
${ofOrganization('proof_readings')}

-- The organizations whose proofs are watched. A node that reads their signals moves the time on, and the others leave them alone.
create table proof_watches (
  org_id text primary key references organizations (id) on delete cascade,
  due_at timestamptz not null,
  -- Counts the writes that begin proofs.
  writes integer not null default 0
);
create index proof_watches_due on proof_watches (due_at);
${ofOrganization('proof_watches')}

-- Nobody has watched while the database was a backup.
create function end_restored_proofs() returns trigger language plpgsql as $$
begin
  update proofs set state = 'inconclusive', ended_at = now(), waits_for = null, reason =
    '{"code":"restored_database","signal":null,"detail":"The database was restored from a backup, so nobody watched this change."}'
  where state = 'watching';
  return null;
end $$;
create trigger end_restored_proofs after update of epoch on publisher_state
  for each row execute function end_restored_proofs();
${stuckPoliciesSql}
${announceProofsSql}
`,
}
