import type { Migration } from './migration.ts'

/** Lets a server key be the subject of a grant, beside a member and a group. */
export const grantsForKeys: Migration = {
  name: '0008-grants-for-keys',
  sql: `
alter table access_grants add column key_id text;
-- Of a member, of a group or of a key. Wider than what it replaces.
alter table access_grants drop constraint access_grants_check;
alter table access_grants add constraint access_grants_subject
  check (num_nonnulls(user_id, group_id, key_id) = 1) not valid;
alter table access_grants add constraint access_grants_key
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade not valid;

-- A browser key is public, and a relay key reads nothing itself. A key keeps its kind.
create function require_server_key() returns trigger language plpgsql as $$
begin
  if not exists (select from api_keys where org_id = new.org_id and id = new.key_id and kind = 'm2m') then
    raise exception 'Only server keys have grants' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger access_grants_server_key before insert or update of key_id on access_grants
  for each row when (new.key_id is not null) execute function require_server_key();
`,
}
