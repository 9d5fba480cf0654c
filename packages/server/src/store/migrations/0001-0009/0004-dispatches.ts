import { grantAll, keepToOrganization } from '../access.ts'
import type { Migration } from '../migration.ts'

/** Creates the table of workflow starts, and the columns of a workflow's declared inputs. */
export const dispatches: Migration = {
  name: '0004-dispatches',
  sql: `
-- What the file of a workflow declares: [{ name, description, type, isRequired, default, options }]. Null: not read yet.
alter table workflows add column inputs json;
alter table workflows add column declared_at timestamptz;

-- Starts of workflows that somebody asked for and that test no deployment: those that do are test runs.
create table workflow_dispatches (
  org_id text not null,
  id text not null,
  repository_id text not null,
  workflow_id text not null,
  ref text not null,
  -- requested: it is being asked for. sent: the code host named the run. ambiguous: there was no clear answer, and it is
  -- never asked for again. found: its run was found later. refused: nothing was started.
  state text not null check (state in ('requested', 'sent', 'ambiguous', 'found', 'refused')),
  reason text,
  external_id text,
  url text,
  requested_by json not null,
  requested_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repositories (org_id, id) on delete cascade
);
create index workflow_dispatches_list on workflow_dispatches (org_id, requested_at desc, id desc);
create unique index workflow_dispatches_external on workflow_dispatches (org_id, repository_id, external_id)
  where external_id is not null;
create index workflow_dispatches_open on workflow_dispatches (org_id, repository_id, requested_at)
  where state in ('requested', 'ambiguous');
${keepToOrganization('workflow_dispatches')}
${grantAll('workflow_dispatches', 'signalbox_app')}
${grantAll('workflow_dispatches', 'signalbox_maintenance')}
`,
}
