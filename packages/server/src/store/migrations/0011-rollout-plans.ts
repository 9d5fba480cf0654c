import { watchSql } from './0001-baseline/live.ts'
import { ofOrganization } from './access.ts'
import type { Migration } from './migration.ts'

/** Adds rollouts in steps. */
export const rolloutPlans: Migration = {
  name: '0011-rollout-plans',
  sql: `
create table rollout_plans (
  org_id text not null,
  id text not null,
  schema_id text not null,
  environment_id text not null,
  flag text not null,
  rule_id text not null,
  -- [{ percent, holdMinutes, approve, signals, at, versionId }]
  steps jsonb not null,
  position integer not null,
  state text not null check (state in ('running', 'paused', 'waiting', 'finished', 'stopped', 'restored')),
  next_at timestamptz not null,
  -- The version that the step has made. Null: it has changed nothing.
  version_id text,
  -- The share from before. Null: the plan has made the rule.
  start_percent double precision,
  prove jsonb,
  -- { environment id: approvals }: those that it has, for each environment that it reached when it was made.
  covered jsonb not null,
  -- { code, detail }
  reason jsonb,
  author jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, schema_id, environment_id)
    references current_values (org_id, schema_id, environment_id) on delete cascade
);
create unique index rollout_plans_active on rollout_plans (org_id, schema_id, environment_id, flag)
  where state in ('running', 'paused', 'waiting');
create index rollout_plans_running on rollout_plans (next_at) where state = 'running';
${ofOrganization('rollout_plans')}
${watchSql({ table: 'rollout_plans', on: ['insert', 'update', 'delete'], says: [['plan', 'r.id']] })}

create table release_templates (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  steps jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, id)
);
create unique index release_templates_name on release_templates (org_id, lower(name));
${ofOrganization('release_templates')}
${watchSql({ table: 'release_templates', on: ['insert', 'delete'], says: [['plan', 'r.id']] })}

-- Who else changes the flag decides, so the plan does not go on by itself. Where the proof of its step takes the step back, the plan
-- ends with it.
create function pause_edited_plans() returns trigger language plpgsql as $$
begin
  update rollout_plans p set state = 'paused', updated_at = new.created_at, reason = json_build_object('code', 'edited',
    'detail', left(new.author ->> 'name', 200) || ' has changed the flag.')
  where p.org_id = new.org_id and p.schema_id = new.schema_id and p.environment_id = new.environment_id
    and p.state in ('running', 'waiting', 'paused') and p.flag = any (new.changed_keys) and p.id is distinct from new.author ->> 'id'
    and not (new.author ->> 'type' = 'system' and exists (select from proofs f
      where f.org_id = p.org_id and f.version_id = p.version_id and f.state in ('watching', 'failed')));
  return null;
end $$;
create trigger pause_edited_plans after insert on config_versions for each row execute function pause_edited_plans();
`,
}
