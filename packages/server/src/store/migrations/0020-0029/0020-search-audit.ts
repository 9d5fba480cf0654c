import type { Migration } from '../migration.ts'

/** Returns SQL for the words of a text, with a space between them. `checkoutApiToken` is three. */
function wordsOf(text: string): string {
  return String.raw`regexp_replace(regexp_replace(${text}, '([a-z0-9])([A-Z])', '\1 \2', 'g'), '[^[:alnum:]]+', ' ', 'g')`
}

const eventText = `coalesce(actor ->> 'name', '') || ' ' || action || ' ' || coalesce(target ->> 'name', '') || ' ' || detail::text`

/**
 * Lets the audit log be searched by the words of an event: who did it, to what, and which keys. Names such as
 * `checkoutApiToken` are several words. The function belongs to maintenance, because an index on words is not used through a
 * row-level policy; it finds events of one organization.
 */
export const auditSearch: Migration = {
  name: '0020-search-audit',
  sql: `
create function audit_words(actor json, action text, target json, detail json) returns tsvector
language sql immutable as $$
  select to_tsvector('simple', ${wordsOf(eventText)})
$$;
create index audit_events_words on audit_events using gin (audit_words(actor, action, target, detail));

-- Null, which finds nothing, where the text has no word.
create function find_audit_events(p_org_id text, p_text text) returns setof bigint
language sql stable security definer as $$
  select sequence from audit_events
  where org_id = p_org_id and p_org_id = nullif(current_setting('app.org_id', true), '')
    and audit_words(actor, action, target, detail) @@ (
      select to_tsquery('simple', string_agg(word || ':*', ' & '))
      from regexp_split_to_table(${wordsOf('p_text')}, ' ') as word where word <> '')
$$;
do $$
begin
  execute format('grant create on schema %I to signalbox_maintenance', current_schema());
  alter function find_audit_events owner to signalbox_maintenance;
  execute format('alter function find_audit_events set search_path = %I, pg_temp', current_schema());
  execute format('revoke create on schema %I from signalbox_maintenance', current_schema());
end $$;
revoke all on function find_audit_events from public;
grant execute on function find_audit_events to signalbox_app;
`,
}
