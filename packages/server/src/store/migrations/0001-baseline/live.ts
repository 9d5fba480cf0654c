import { ofOrganization } from '../access.ts'

/** Limits the rows that a statement names one by one. Beyond it, one entry without an id stands for all. */
const namedMax = 100

interface Watched {
  readonly table: string
  readonly on: readonly ('insert' | 'update' | 'delete')[]
  /** Lists the pairs of topic and id that a changed row `r` is announced under. */
  readonly says: readonly (readonly [topic: string, id: string])[]
}

const any = ['insert', 'update', 'delete'] as const

/**
 * Announces everything that the page of a deployment shows as a change of the deployment, so that the page waits for
 * one id.
 */
const watched: readonly Watched[] = [
  { table: 'deployments', on: any, says: [['deployment', 'r.id']] },
  { table: 'deployment_issues', on: any, says: [['deployment', 'r.deployment_id']] },
  { table: 'deployment_commits', on: ['insert'], says: [['deployment', 'r.deployment_id']] },
  {
    table: 'test_runs',
    on: any,
    says: [
      ['test_run', 'r.id'],
      ['deployment', 'r.deployment_id'],
    ],
  },
  {
    table: 'notifications',
    on: any,
    says: [
      ['notification', 'r.id'],
      ['deployment', `case when r.subject_kind like 'deployment%' then r.subject_id end`],
    ],
  },
  { table: 'notification_routes', on: any, says: [['notification_route', 'r.id']] },
  { table: 'repositories', on: any, says: [['integration', `'codehost'`]] },
  { table: 'host_environments', on: any, says: [['integration', `'codehost'`]] },
  { table: 'syncs', on: ['insert', 'update'], says: [['sync', 'r.id']] },
  { table: 'workflow_dispatches', on: any, says: [['workflow_dispatch', 'r.id']] },
  { table: 'config_versions', on: ['insert'], says: [['configuration', 'r.schema_id']] },
  { table: 'config_schemas', on: any, says: [['schema', 'r.id']] },
  { table: 'environments', on: any, says: [['environment', 'r.id']] },
  { table: 'members', on: any, says: [['member', 'r.user_id']] },
  { table: 'invitations', on: any, says: [['member', 'r.id']] },
  { table: 'api_keys', on: any, says: [['api_key', 'r.id']] },
  { table: 'api_key_secrets', on: ['insert', 'delete'], says: [['api_key', 'r.key_id']] },
  // Rarely written: once a minute and node, however often keys are used.
  { table: 'api_key_uses', on: ['insert', 'update'], says: [['api_key', 'r.key_id']] },
  { table: 'failed_jobs', on: any, says: [['failed_job', 'r.id']] },
  { table: 'audit_events', on: ['insert'], says: [['audit_event', `''`]] },
  { table: 'segments', on: any, says: [['segment', 'r.name']] },
  { table: 'outgoing_webhooks', on: any, says: [['outgoing_webhook', 'r.id']] },
  {
    table: 'outgoing_messages',
    on: ['insert', 'update'],
    says: [['outgoing_webhook', 'r.webhook_id']],
  },
  { table: 'agent_tokens', on: any, says: [['api_key', 'r.id']] },
  { table: 'targets', on: any, says: [['target', 'r.id']] },
]

const changedRows = (moment: Watched['on'][number]) =>
  `referencing ${moment === 'delete' ? 'old' : 'new'} table as changed`

/** Announces the changes of a table, in the transaction that makes them. */
export function watchSql({ table, on, says }: Watched): string {
  const pairs = says.map(([topic, id]) => `('${topic}', ${id})`).join(', ')
  return `
create function note_${table}() returns trigger language plpgsql as $$
begin
  insert into live_changes (org_id, topic, subject_id)
  select distinct org_id, topic, case when total <= ${namedMax} then subject_id else '' end
  from (
    select r.org_id, s.topic, s.subject_id, count(*) over (partition by r.org_id, s.topic) as total
    from changed r cross join lateral (values ${pairs}) as s (topic, subject_id)
    where r.org_id is not null and s.subject_id is not null
  ) as said;
  if found then raise notice using message = 'live', errcode = 'SBL01'; end if;
  return null;
end $$;
${on
  .map(
    (moment) =>
      `create trigger live_${moment} after ${moment} on ${table} ${changedRows(moment)}
  for each statement execute function note_${table}();`,
  )
  .join('\n')}
`
}

interface WatchedRow {
  readonly table: string
  readonly topic: string
  readonly org: string
  readonly id: string
  /** Selects the updates that are announced. The others only note that something was polled. */
  readonly when: string
}

/**
 * Lists tables that are watched row by row, because most updates are not announced, or rows are too large to be
 * collected for a statement.
 */
const watchedRows: readonly WatchedRow[] = [
  {
    table: 'received_webhooks',
    topic: 'webhook_delivery',
    org: 'new.org_id',
    id: 'new.id',
    when: `new.org_id is not null and new.state <> 'processing'
      and (new.state, new.org_id) is distinct from (old.state, old.org_id)`,
  },
  {
    table: 'integrations',
    topic: 'integration',
    org: 'new.org_id',
    id: 'new.kind',
    when: `(new.state, new.state_reason, new.account::text, new.settings::text, new.scopes, new.last_error::text, new.revocation::text)
      is distinct from
      (old.state, old.state_reason, old.account::text, old.settings::text, old.scopes, old.last_error::text, old.revocation::text)`,
  },
  {
    table: 'organizations',
    topic: 'organization',
    org: 'new.id',
    id: 'new.id',
    when: '(new.name, new.slug, new.deleted_at) is distinct from (old.name, old.slug, old.deleted_at)',
  },
]

function watchRowsSql({ table, topic, org, id, when }: WatchedRow): string {
  return `
create function note_${table}_row() returns trigger language plpgsql as $$
begin
  insert into live_changes (org_id, topic, subject_id) values (${org}, '${topic}', ${id});
  raise notice using message = 'live', errcode = 'SBL01';
  return null;
end $$;
create trigger live_update after update on ${table} for each row when (${when})
  execute function note_${table}_row();
`
}

/**
 * Creates the changes that dashboards' streams send. Triggers write them in the transaction of the change, so that no
 * use case can forget it, and they are kept for minutes. The notice reaches the connection that wrote, whose process
 * announces the change after its commit.
 */
export const liveSql = `
-- Not logged, and empty after a crash: a dashboard that lost some reads everything again.
create unlogged table live_changes (
  org_id text not null,
  topic text not null,
  -- Empty: any number of them, or none in particular.
  subject_id text not null,
  changed_in xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now()
);
create index live_changes_changed_in on live_changes (changed_in);
create index live_changes_at on live_changes using brin (at);
${ofOrganization('live_changes')}
create policy delivery on live_changes for select to signalbox_delivery using (true);
grant select on live_changes to signalbox_delivery;
${watched.map(watchSql).join('')}
${watchedRows.map(watchRowsSql).join('')}
create trigger live_insert after insert on integrations for each row execute function note_integrations_row();
`
