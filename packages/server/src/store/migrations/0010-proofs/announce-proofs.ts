import { queueSql } from '../0001-baseline/outgoing-events.ts'

const isRestored = `coalesce(jsonb_array_length(new.restored), 0) > 0`
const nameOf = (table: string, id: string) =>
  `(select n.name from ${table} n where n.org_id = new.org_id and n.id = ${id})`
const reason = (at: string) =>
  `case when new.${at} is not null then json_build_object('code', new.${at} ->> 'code', 'detail', left(new.${at} ->> 'detail', 500)`

/** Lets outgoing webhooks hear how proofs end. They get the names of keys and signals, and no value. */
export const announceProofsSql = queueSql({
  name: 'proofs',
  table: 'proofs',
  on: 'update of state',
  when: `new.state in ('proven', 'failed', 'inconclusive') and new.state is distinct from old.state`,
  types: [
    ['change.proven', `new.state = 'proven'`],
    ['change.restored', `new.state = 'failed' and ${isRestored}`],
    ['change.inconclusive', `new.state = 'inconclusive'`],
    ['change.proof_failed', `new.state = 'failed' and not ${isRestored}`],
  ],
  data: `json_build_object('id', new.id, 'state', new.state, 'versionId', new.version_id, 'version', new.version,
    'schemaId', new.schema_id, 'schema', ${nameOf('config_schemas', 'new.schema_id')},
    'environmentId', new.environment_id, 'environment', ${nameOf('environments', 'new.environment_id')},
    'keyCount', cardinality(new.keys), 'keys', (select coalesce(json_agg(k.key), '[]')
      from (select unnest(new.keys) as key order by 1 limit 100) k),
    'signals', (select coalesce(json_agg(s.name order by s.name), '[]') from signals s
      where s.org_id = new.org_id and new.terms -> 'signals' ? s.id),
    'reason', ${reason('reason')}, 'signal', ${nameOf('signals', `new.reason ->> 'signal'`)}) end,
    'restored', (select coalesce(json_agg(json_build_object('environmentId', r ->> 'environmentId',
      'environment', ${nameOf('environments', `r ->> 'environmentId'`)}, 'versionId', r ->> 'versionId',
      'version', r -> 'version')), '[]') from (select r from jsonb_array_elements(coalesce(new.restored, '[]')) r limit 10) r),
    'notRestored', ${reason('not_restored')}) end)`,
})
