/**
 * Creates the chain of an organization: each event's hash covers the hash before it. Requests can only call
 * `append_audit_event`, which extends the chain and never changes it.
 */
export const auditSql = `
create table audit_heads (
  org_id text primary key,
  sequence bigint not null,
  hash bytea not null
);

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
  select sequence + 1 as sequence, hash into head from audit_heads where org_id = p_org_id for update;
  if not found then
    insert into audit_heads (org_id, sequence, hash) values (p_org_id, 0, '\\x00')
      on conflict (org_id) do nothing;
    select sequence + 1 as sequence, hash into head from audit_heads where org_id = p_org_id for update;
  end if;
  next_hash := sha256(head.hash || convert_to(audit_text(
    head.sequence, p_id, moment, p_actor, p_action, p_target, p_detail, p_request_id, p_ip, p_user_agent), 'UTF8'));
  insert into audit_events values (p_org_id, head.sequence, p_id, moment, p_actor, p_action, p_target, p_detail,
    p_request_id, p_ip, p_user_agent, head.hash, next_hash);
  update audit_heads set sequence = head.sequence, hash = next_hash where org_id = p_org_id;
  return head.sequence;
end $$;
`
