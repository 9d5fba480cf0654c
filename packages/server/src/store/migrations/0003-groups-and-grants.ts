import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization, showToo, userId } from './access.ts'
import type { Migration } from './migration.ts'

/** Shows a person their own groups and grants before the request has an organization, as `members` does. */
const ownGroups = `select p.group_id from group_members p where p.org_id = access_grants.org_id and p.user_id = ${userId}`

/** Adds groups of members, and grants: the roles that a member or a group has in some environments and schemas. */
export const groupsAndGrants: Migration = {
  name: '0003-groups-and-grants',
  sql: `
create table member_groups (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  -- manual: admins choose its members. oidc: the groups claim of a sign-in does. scim: a directory does.
  source text not null check (source in ('manual', 'oidc', 'scim')),
  -- The name that the directory has for it. Null: none.
  external_id text,
  created_at timestamptz not null,
  created_by json not null,
  -- Counts the changes, so that two people who change one don't overwrite each other.
  revision integer not null default 1,
  primary key (org_id, id)
);
create unique index member_groups_name on member_groups (org_id, lower(name));
${ofOrganization('member_groups')}

create table group_members (
  org_id text not null,
  group_id text not null,
  user_id text not null,
  -- Who added them, and with what. Null: a sign-in or a directory did.
  added_by json,
  primary key (org_id, group_id, user_id),
  foreign key (org_id, group_id) references member_groups (org_id, id) on delete cascade,
  foreign key (org_id, user_id) references members (org_id, user_id) on delete cascade
);
create index group_members_user on group_members (org_id, user_id);
${ofOrganization('group_members')}
${showToo('group_members', `user_id = ${userId}`)}

create table access_grants (
  org_id text not null,
  id text not null,
  -- Of a member or of a group.
  user_id text,
  group_id text,
  role text not null check (role in ('admin', 'developer', 'editor', 'reader')),
  -- Null: every one, those to come included.
  environment_ids text[],
  schema_ids text[],
  created_at timestamptz not null,
  created_by json not null,
  revision integer not null default 1,
  primary key (org_id, id),
  foreign key (org_id, user_id) references members (org_id, user_id) on delete cascade,
  foreign key (org_id, group_id) references member_groups (org_id, id) on delete cascade,
  check ((user_id is null) <> (group_id is null))
);
create index access_grants_user on access_grants (org_id, user_id);
create index access_grants_group on access_grants (org_id, group_id);
${ofOrganization('access_grants')}
${showToo('access_grants', `user_id = ${userId} or group_id in (${ownGroups})`)}
${watchSql({ table: 'member_groups', on: ['insert', 'update', 'delete'], says: [['member', 'r.id']] })}
${watchSql({ table: 'group_members', on: ['insert', 'update', 'delete'], says: [['member', 'r.user_id']] })}
${watchSql({ table: 'access_grants', on: ['insert', 'update', 'delete'], says: [['member', 'r.id']] })}
`,
}
