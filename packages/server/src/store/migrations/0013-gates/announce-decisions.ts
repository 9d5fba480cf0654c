import { queueSql } from '../0001-baseline/outgoing-events.ts'

const nameOf = (table: string, column: string, id: string) =>
  `(select n.${column} from ${table} n where n.org_id = new.org_id and n.id = ${id})`

const data = `json_build_object('id', new.id, 'state', new.state, 'repository', ${nameOf('repositories', 'full_name', 'new.repository_id')},
  'sha', new.sha, 'ref', left(new.ref, 500), 'hostEnvironment', new.host_environment, 'environmentId', new.environment_id,
  'environment', ${nameOf('environments', 'name', 'new.environment_id')},
  'run', json_build_object('id', new.run_id, 'attempt', new.attempt, 'url', left(new.run_url, 2000)),
  'waitedFor', left(new.waited_for, 500), 'askedAt', new.asked_at, 'decidedAt', new.decided_at,
  'by', case when new.decided_by is not null then
    json_build_object('type', new.decided_by ->> 'type', 'name', left(new.decided_by ->> 'name', 200)) end,
  'comment', left(new.comment, 500),
  'reasons', (select coalesce(json_agg(json_build_object('code', r ->> 'code', 'state', r ->> 'state',
      'text', left(r ->> 'text', 500))), '[]')
    from (select r from jsonb_array_elements(new.reasons) r where not (r -> 'isWatched')::boolean limit 20) r))`

const types = [
  ['deployment.waiting', `new.state = 'waiting'`],
  ['deployment.passed', `new.state in ('passed', 'overridden')`],
  ['deployment.refused', `new.state = 'refused'`],
] as const

/** Lets outgoing webhooks hear of deployments that wait, go on or are refused. */
export const announceDecisionsSql = [
  queueSql({
    name: 'gate_decisions_added',
    table: 'gate_decisions',
    on: 'insert',
    when: `new.asked_at > now() - interval '1 hour'`,
    types,
    data,
  }),
  queueSql({
    name: 'gate_decisions',
    table: 'gate_decisions',
    on: 'update of state',
    when: 'new.state is distinct from old.state',
    types,
    data,
  }),
].join('\n')
