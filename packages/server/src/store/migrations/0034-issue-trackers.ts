import type { Migration } from './migration.ts'

/**
 * Says of each integration whether it uses the connection of another one. Until now the provider decided that: a tracker that could
 * share a connection did, and has the account of the code host. The index finds the deployments that name a changed issue under a former
 * key.
 */
export const issueTrackers: Migration = {
  name: '0034-issue-trackers',
  sql: `
alter table integrations add column is_shared boolean not null default false;
update integrations i set is_shared = true
from integrations host
where i.kind = 'tracker' and host.org_id = i.org_id and host.kind = 'codehost'
  and host.account_id = i.account_id and host.provider <> i.provider;
create index deployment_issues_issue on deployment_issues (org_id, issue_id, deployment_id) where issue_id is not null;
`,
}
