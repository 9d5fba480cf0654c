import { ofOrganization, ofServer, runAsMaintenance, showToo } from '../access.ts'

/** Creates what nodes know of each other, what they publish together, jobs that failed for good, and the time that retention goes by. */
export const operationSql = `
-- Jobs that failed for good, once for each thing that was to be done: the same job that fails again is the same row.
create table failed_jobs (
  id text primary key,
  -- Null: work of the server itself.
  org_id text references organizations (id) on delete cascade,
  queue text not null,
  -- The job that failed last, so that what is handed over twice counts once.
  job_id uuid not null,
  key text,
  -- Ids, and what says how much is to be done. It is enqueued again and never shown.
  data jsonb not null,
  -- SHA-256 of its text, which is one for equal contents.
  data_hash bytea not null,
  subject_id text,
  cause text not null check (cause in ('failed', 'timed_out', 'process_ended')),
  reason text not null,
  attempts integer not null,
  -- How often the job came to this.
  failures integer not null default 1,
  failed_at timestamptz not null,
  -- When somebody had it done once more. Null: it waits for somebody.
  retried_at timestamptz
);
create unique index failed_jobs_work on failed_jobs (org_id, queue, data_hash) nulls not distinct;
create index failed_jobs_list on failed_jobs (org_id, failed_at desc, id desc) where retried_at is null;
create index failed_jobs_subject on failed_jobs (subject_id, queue) where retried_at is null;
create index failed_jobs_age on failed_jobs (failed_at);
${ofOrganization('failed_jobs')}

-- The nodes that live, so that what one of them had in hand is gone on with a few seconds after its end.
create table nodes (
  id text primary key,
  seen_at timestamptz not null default clock_timestamp()
);
${ofServer('nodes')}
${showToo('nodes', 'true')}
grant select on nodes to signalbox_app;

-- A lease ends at its time, or with its node. Null: no node holds it.
create function node_has_ended(node text) returns boolean language sql stable as $$
  select node is not null and not exists (select from nodes where id = node)
$$;

-- What delivery nodes report about themselves, for a day. A reporter has at most 200: a relay key is in the hands of others.
create table delivery_nodes (
  -- The relay key or the group through which the report came; 'database' for a node that reported by itself.
  reporter text not null,
  name text not null,
  version text not null,
  carrier text not null,
  fed_by text,
  snapshots integer not null,
  as_of timestamptz,
  fault text,
  reported_at timestamptz not null,
  primary key (reporter, name)
);
${ofServer('delivery_nodes')}

create function record_delivery_nodes(p_reporter text, p_nodes jsonb)
returns void language sql security definer as $$
  delete from delivery_nodes where reported_at < now() - interval '1 day';

  delete from delivery_nodes d using jsonb_to_recordset(p_nodes) as n (name text, stopping boolean)
  where d.reporter = p_reporter and d.name = n.name and n.stopping;

  insert into delivery_nodes (reporter, name, version, carrier, fed_by, snapshots, as_of, fault, reported_at)
  select distinct on (n.name) p_reporter, n.name, n.version, n.carrier, n.fed_by, n.snapshots, n.as_of, n.fault,
    least(n.reported_at, now())
  from jsonb_to_recordset(p_nodes) as n (name text, version text, carrier text, fed_by text, snapshots integer,
    as_of timestamptz, fault text, reported_at timestamptz, stopping boolean)
  where not n.stopping and n.reported_at > now() - interval '1 day'
    and ((select count(*) from delivery_nodes d where d.reporter = p_reporter) < 200
      or exists (select from delivery_nodes d where d.reporter = p_reporter and d.name = n.name))
  -- In one order: two processes that write the same nodes at the same moment wait for each other, and not in a circle.
  order by n.name, n.reported_at desc
  on conflict (reporter, name) do update set version = excluded.version, carrier = excluded.carrier,
      fed_by = excluded.fed_by, snapshots = excluded.snapshots, as_of = excluded.as_of, fault = excluded.fault,
      reported_at = excluded.reported_at
    where delivery_nodes.reported_at <= excluded.reported_at
$$;
${runAsMaintenance('record_delivery_nodes', 'signalbox_delivery')}

-- What processes that publish a replica share. All of it can be made again from what is published.
-- Rolled back transactions leave gaps, and no number comes twice.
create sequence replica_counter;
grant usage on sequence replica_counter to signalbox_maintenance;

create table replica_marks (
  group_name text primary key,
  epoch bigint not null,
  counter bigint not null,
  -- The SHA-256 of the index, as base64url.
  index_name text not null,
  mark text not null,
  signatures text not null,
  signed_at timestamptz not null
);
${ofServer('replica_marks')}

create table replica_versions (
  -- The name of a record: org_…._.keys._
  record_name text primary key,
  -- The generation of the keys that sign it and the SHA-256 of its content.
  content text not null,
  version bigint not null
);
${ofServer('replica_versions')}

-- Up to which moment the clock is believed where something is deleted because of its age (retention/believed-time.ts).
create table believed_time (
  is_only boolean primary key default true check (is_only),
  -- Nothing is younger than this by a clock that was right.
  moment timestamptz not null,
  -- The last reading of the clock, and for how long readings have been ahead of what is believed.
  read_at timestamptz not null,
  ahead_ms double precision not null default 0
);
insert into believed_time (moment, read_at) values (now(), now());
${ofServer('believed_time')}
`
