import { grantAll, keepToOrganization, ofServer, runAsMaintenance, showToo } from '../access.ts'

/** Returns SQL for the words of a text, with a space between them. `checkoutApiToken` is three. */
function wordsOf(text: string): string {
  return String.raw`regexp_replace(regexp_replace(${text}, '([a-z0-9])([A-Z])', '\1 \2', 'g'), '[^[:alnum:]]+', ' ', 'g')`
}

const eventText = `coalesce(actor ->> 'name', '') || ' ' || action || ' ' || coalesce(target ->> 'name', '') || ' ' || detail::text`

/**
 * Creates the chain of each organization: an event's hash covers the hash before it. Requests can only call `append_audit_event`,
 * which extends the chain and never changes it. Nobody changes an event; maintenance adds and removes them, when it replaces the
 * database by an export.
 */
export const auditSql = `
create table audit_chains (
  org_id text primary key,
  sequence bigint not null,
  hash bytea not null
);
${keepToOrganization('audit_chains')}
grant select on audit_chains to signalbox_app;
${grantAll('audit_chains', 'signalbox_maintenance')}

create table audit_events (
  org_id text not null,
  sequence bigint not null,
  id text not null,
  at timestamptz not null,
  -- json, not jsonb: the hash covers the text as it was written.
  actor json not null,
  action text not null,
  target json not null,
  detail json not null,
  request_id text,
  ip text,
  user_agent text,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (org_id, sequence)
);
create index audit_events_action on audit_events (org_id, action, sequence);
create index audit_events_actor on audit_events (org_id, (actor ->> 'id'), sequence);
create index audit_events_at on audit_events (org_id, at);
${keepToOrganization('audit_events')}
grant select on audit_events to signalbox_app;
grant select, insert, delete on audit_events to signalbox_maintenance;

-- What an event's hash covers: its fields on lines of their own. No field can hold a line break.
-- Stable, as what it calls is: as immutable it could not be inlined and would be planned anew for every event.
create function audit_text(
  sequence bigint, id text, at timestamptz, actor json, action text, target json, detail json,
  request_id text, ip text, user_agent text
) returns text language sql stable as $$
  select concat_ws(E'\\n', sequence::text, id,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    actor::text, action, target::text, detail::text,
    coalesce(request_id, ''), coalesce(ip, ''), coalesce(user_agent, ''))
$$;

create function append_audit_event(
  p_org_id text, p_id text, p_actor json, p_action text, p_target json, p_detail json,
  p_request_id text, p_ip text, p_user_agent text
) returns bigint language plpgsql security definer as $$
declare
  head record;
  moment timestamptz := clock_timestamp();
  next_hash bytea;
begin
  if p_org_id is distinct from nullif(current_setting('app.org_id', true), '') then
    raise exception 'an audit event belongs to the organization of its transaction' using errcode = '42501';
  end if;
  -- Lock first: an insert that meets a head being written waits for that writer outside of the queue for its lock.
  select sequence + 1 as sequence, hash into head from audit_chains where org_id = p_org_id for update;
  if not found then
    insert into audit_chains (org_id, sequence, hash) values (p_org_id, 0, '\\x00')
      on conflict (org_id) do nothing;
    select sequence + 1 as sequence, hash into head from audit_chains where org_id = p_org_id for update;
  end if;
  next_hash := sha256(head.hash || convert_to(audit_text(
    head.sequence, p_id, moment, p_actor, p_action, p_target, p_detail, p_request_id, p_ip, p_user_agent), 'UTF8'));
  insert into audit_events values (p_org_id, head.sequence, p_id, moment, p_actor, p_action, p_target, p_detail,
    p_request_id, p_ip, p_user_agent, head.hash, next_hash);
  update audit_chains set sequence = head.sequence, hash = next_hash where org_id = p_org_id;
  return head.sequence;
end $$;
${runAsMaintenance('append_audit_event', 'signalbox_app')}

-- The words of an event: who did it, to what, and which keys. Names such as checkoutApiToken are several words.
create function audit_words(actor json, action text, target json, detail json) returns tsvector
language sql immutable as $$
  select to_tsvector('simple', ${wordsOf(eventText)})
$$;
create index audit_events_words on audit_events using gin (audit_words(actor, action, target, detail));

-- Belongs to maintenance, because an index on words is not used through a row-level policy. It finds events of one organization.
-- Null, which finds nothing, where the text has no word.
create function find_audit_events(p_org_id text, p_text text) returns setof bigint
language sql stable security definer as $$
  select sequence from audit_events
  where org_id = p_org_id and p_org_id = nullif(current_setting('app.org_id', true), '')
    and audit_words(actor, action, target, detail) @@ (
      select to_tsquery('simple', string_agg(word || ':*', ' & '))
      from regexp_split_to_table(${wordsOf('p_text')}, ' ') as word where word <> '')
$$;
${runAsMaintenance('find_audit_events', 'signalbox_app')}

-- The outlets of the audit log. A node that sends holds the lease, and the fence keeps one that was overtaken from moving a position.
create table audit_outlets (
  name text primary key,
  lease_until timestamptz,
  lease_holder text,
  fence bigint not null default 0,
  -- Counts the failures in a row.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- Example: http_503.
  reason text,
  failing_since timestamptz,
  last_sent_at timestamptz,
  -- Counts the events that the receiver took and did not keep.
  rejected bigint not null default 0
);
${ofServer('audit_outlets')}
${showToo('audit_outlets', 'true')}
grant select on audit_outlets to signalbox_app;

-- How far each chain has left through each outlet.
create table audit_positions (
  outlet text not null references audit_outlets (name) on delete cascade,
  org_id text not null,
  sequence bigint not null,
  -- The receiver refuses the next event, and other chains go first.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  moved_at timestamptz not null,
  primary key (outlet, org_id)
);
${ofServer('audit_positions')}
`
