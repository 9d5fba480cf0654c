import { queueSql } from '../0001-baseline/outgoing-events.ts'
import { ofOrganization } from '../access.ts'

/** Returns the data of an event, without what the request changes. `r` is the request, `more` are pairs of a name and a value. */
const dataOf = (
  r: string,
  more = '',
) => `json_build_object('id', ${r}.id, 'number', ${r}.number, 'title', left(${r}.title, 200),
  'state', ${r}.state, 'kind', ${r}.kind, 'revision', ${r}.revision,
  'author', json_build_object('type', ${r}.author ->> 'type', 'name', left(${r}.author ->> 'name', 200)),
  'environments', (select coalesce(json_agg(e.name order by e.name), '[]') from environments e
    where e.org_id = ${r}.org_id and e.id = any (${r}.environment_ids))${more})`

/**
 * Lets outgoing webhooks, the timeline and the chat hear of requests: the messages of their events, and which version of
 * configuration each of them made. The versions are rows, because row-level security keeps PostgreSQL from using an index for `@>`.
 */
export const announceRequestsSql = `
create table change_request_versions (
  org_id text not null,
  version_id text not null,
  request_id text not null,
  primary key (org_id, version_id),
  foreign key (org_id, request_id) references change_requests (org_id, id) on delete cascade
);
create index change_request_versions_request on change_request_versions (org_id, request_id);
${ofOrganization('change_request_versions')}
create function note_applied_versions() returns trigger language plpgsql as $$
begin
  insert into change_request_versions (org_id, version_id, request_id)
  select new.org_id, v ->> 'versionId', new.id from jsonb_array_elements(new.applied_versions) v on conflict do nothing;
  return null;
end $$;
create trigger note_applied_versions after update of applied_versions on change_requests for each row
  when (new.applied_versions is not null and old.applied_versions is null) execute function note_applied_versions();
-- The timeline shows the versions of the others.
create index change_requests_without_version on change_requests (org_id, updated_at desc, id desc)
  where state <> 'applied' or applied_versions = '[]';
create index change_requests_failed on change_requests (updated_at) where state = 'failed';
${queueSql({
  name: 'change_requests_added',
  table: 'change_requests',
  on: 'insert',
  when: 'true',
  types: [['change.requested', 'true']],
  data: dataOf('new'),
})}
${queueSql({
  name: 'change_requests',
  table: 'change_requests',
  on: 'update of state',
  when: `new.state in ('applied', 'failed') and new.state is distinct from old.state`,
  types: [
    ['change.applied', `new.state = 'applied'`],
    ['change.overridden', `new.state = 'applied' and new.overridden is not null`],
    ['change.failed', `new.state = 'failed'`],
  ],
  data: dataOf(
    'new',
    `, 'by', json_build_object('type', new.overridden -> 'member' ->> 'type', 'name', left(new.overridden -> 'member' ->> 'name', 200)),
    'overridden', new.overridden is not null, 'comment', left(new.overridden ->> 'comment', 500), 'failure', new.failure ->> 'code'`,
  ),
})}
${queueSql({
  name: 'change_request_reviews',
  table: 'change_request_reviews',
  on: 'insert',
  when: `new.verdict <> 'comment'`,
  types: [
    ['change.approved', `new.verdict = 'approve'`],
    ['change.declined', `new.verdict = 'decline'`],
  ],
  data: `(select ${dataOf('r', `, 'by', json_build_object('type', 'user', 'name', left(new.name, 200))`)} from change_requests r
    where r.org_id = new.org_id and r.id = new.request_id)`,
})}
`
