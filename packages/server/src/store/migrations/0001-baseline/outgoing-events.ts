/** Rows older than this are not news: an import brings them, or a synchronization found them late. */
const recentInterval = `interval '1 hour'`

/** Describes an event that a trigger writes messages of. */
export interface QueuedEvent {
  /** Names the trigger. */
  readonly name: string
  readonly table: string
  /** Says when the trigger fires. Example: `update of state`. */
  readonly on: string
  /** Selects the changes that are events. */
  readonly when: string
  /** Lists the events: type, and the condition for each. */
  readonly types: readonly (readonly [type: string, condition: string])[]
  /** Holds the expression of the data, out of `new`. */
  readonly data: string
}

const author = `json_build_object('type', new.author ->> 'type', 'name', new.author ->> 'name')`
const namesOf = (condition: string) => `(select coalesce(json_agg(key order by key), '[]') from (
  select c ->> 'key' as key from json_array_elements(new.changes) c where ${condition} order by 1 limit 100) k)`

const testsEnded = `new.state in ('passed', 'failed', 'errored', 'cancelled', 'timed_out')`
const deployed = `new.reported_state in ('success', 'failure', 'error') and not new.is_history`
const deploymentData = `json_build_object('id', new.id, 'state', new.reported_state, 'relation', new.relation,
  'repository', (select full_name from repositories where org_id = new.org_id and id = new.repository_id),
  'hostEnvironment', new.host_environment, 'environmentId', new.environment_id,
  'environment', (select name from environments where org_id = new.org_id and id = new.environment_id),
  'sha', new.sha, 'ref', left(new.ref, 500), 'url', left(new.url, 2000))`
const testsData = `json_build_object('id', new.id, 'name', new.name, 'state', new.state, 'deploymentId', new.deployment_id,
  'environmentId', new.environment_id,
  'environment', (select name from environments where org_id = new.org_id and id = new.environment_id),
  'passed', new.passed, 'failed', new.failed, 'skipped', new.skipped, 'flaky', new.flaky,
  'durationMs', new.duration_ms, 'url', left(new.url, 2000))`
const needsSomebody = `new.state in ('degraded', 'reauth_required', 'suspended')`

const events: readonly QueuedEvent[] = [
  {
    name: 'versions',
    table: 'config_versions',
    on: 'insert',
    when: `new.created_at > now() - ${recentInterval}`,
    types: [
      ['config.changed', 'true'],
      [
        'flag.changed',
        `(exists (select from json_array_elements(new.changes) c where c ->> 'tier' = 'featureFlags'))`,
      ],
    ],
    data: `json_build_object('versionId', new.id, 'version', new.version, 'kind', new.kind, 'author', ${author},
      'comment', left(new.comment, 500), 'schemaId', new.schema_id,
      'schema', (select name from config_schemas where org_id = new.org_id and id = new.schema_id),
      'environmentId', new.environment_id,
      'environment', (select name from environments where org_id = new.org_id and id = new.environment_id),
      'keyCount', json_array_length(new.changes),
      'keys', case when e.type = 'flag.changed' then ${namesOf(`c ->> 'tier' = 'featureFlags'`)}
        else ${namesOf('true')} end)`,
  },
  {
    name: 'deployments_added',
    table: 'deployments',
    on: 'insert',
    when: `${deployed} and new.created_at > now() - ${recentInterval}`,
    types: [['deployment.finished', 'true']],
    data: deploymentData,
  },
  {
    name: 'deployments',
    table: 'deployments',
    on: 'update',
    when: `${deployed} and new.reported_state is distinct from old.reported_state`,
    types: [['deployment.finished', 'true']],
    data: deploymentData,
  },
  {
    name: 'test_runs_added',
    table: 'test_runs',
    on: 'insert',
    when: `${testsEnded} and new.created_at > now() - ${recentInterval}`,
    types: [['tests.finished', 'true']],
    data: testsData,
  },
  {
    name: 'test_runs',
    table: 'test_runs',
    on: 'update',
    when: `${testsEnded} and (new.state, new.attempt) is distinct from (old.state, old.attempt)`,
    types: [['tests.finished', 'true']],
    data: testsData,
  },
  {
    name: 'integrations',
    table: 'integrations',
    on: 'update',
    when: `${needsSomebody} and new.state is distinct from old.state`,
    types: [['integration.attention', 'true']],
    data: `json_build_object('id', new.id, 'kind', new.kind, 'provider', new.provider, 'state', new.state,
      'reason', left(new.state_reason, 500))`,
  },
  {
    name: 'targets',
    table: 'targets',
    on: 'update',
    when: 'new.failing_since is not null and old.failing_since is null',
    types: [['integration.attention', 'true']],
    data: `json_build_object('id', new.id, 'kind', 'target', 'provider', new.provider, 'state', 'failing',
    'reason', new.health_reason)`,
  },
]

/** Ids have ten characters of time and sixteen of chance, as those that the service makes. */
const newIdSql = `
create function new_message_id() returns text language plpgsql volatile as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  moment bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  chance bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  id text := '';
begin
  for i in 1..10 loop
    id := substr(alphabet, (moment & 31)::integer + 1, 1) || id;
    moment := moment >> 5;
  end loop;
  for i in 0..15 loop
    -- Skips the bytes of a UUID that hold its version and variant.
    id := id || substr(alphabet, (get_byte(chance, case when i < 6 then i else i + 3 end) & 31) + 1, 1);
  end loop;
  return 'msg_' || id;
end $$;
`

/** Returns SQL that writes a message for each webhook that wants an event, in the transaction of the event. */
export function queueSql({ name, table, on, when, types, data }: QueuedEvent): string {
  const values = types.map(([type, condition]) => `('${type}', ${condition})`).join(', ')
  return `
create function queue_${name}() returns trigger language plpgsql as $$
begin
  insert into outgoing_messages (org_id, id, webhook_id, type, data, created_at, next_attempt_at)
  select new.org_id, new_message_id(), w.id, e.type, ${data}, now(), now()
  from outgoing_webhooks w cross join (values ${values}) as e (type, happened)
  where w.org_id = new.org_id and w.enabled and e.happened and e.type = any (w.events);
  return null;
end $$;
create trigger queue_${name} after ${on} on ${table} for each row when (${when}) execute function queue_${name}();
`
}

/**
 * Creates the triggers that write the messages of outgoing webhooks in the transaction of their event, so that a process that ends
 * loses none. An organization without webhooks pays for the search in an empty index.
 */
export const outgoingEventsSql = [newIdSql, ...events.map(queueSql)].join('\n')
