/** Makes up a history: by the database itself, because a million rows over HTTP would take an hour. */

/** Shape of an id of `kind` for the number `n`, which is SQL. */
const idOf = (kind: string, n: string) => `'${kind}_01kz' || lpad(to_hex((${n})::bigint), 22, '0')`

const shaOf = (n: string) => `left(encode(sha256((${n})::text::bytea), 'hex'), 40)`

const repositories = 20
/** One of so many deployments names the issue that is named most. */
const popularEvery = 20
/** One of so many has all that a detail shows. */
export const detailedEvery = 20
export const branches = 50

/**
 * $1 organization, $2 its environments, $3 how many. One a minute, the newest a minute ago; one in ten failed, one in five
 * hundred with an error; one issue each, which nine others name too, and a popular one.
 */
export const deploymentsSql = [
  `insert into repositories (org_id, id, external_id, full_name)
    select $1, ${idOf('repo', 'n')}, n::text, 'acme/app-' || n from generate_series(1, ${repositories}) n
    where $2::text[] is not null and $3::int > 0`,
  `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, branch, host_environment,
      environment_id, state, reported_state, succeeded_at, commit_message, creator, range, source, created_at)
    select $1, ${idOf('dep', 'n')}, ${idOf('repo', `1 + n % ${repositories}`)}, n::text, ${shaOf('n')}, branch, 'branch', branch,
      'env-' || n % cardinality($2::text[]), ($2::text[])[1 + n % cardinality($2::text[])], state, state,
      case when state = 'success' then at end, 'Change number ' || n, '{"login":"ada","name":"Ada"}',
      json_build_object('base', null, 'head', ${shaOf('n')}, 'status', 'ahead', 'total', 8, 'truncated', false, 'comparedAt', at),
      'webhook', at
    from generate_series(1, $3::int) n,
      lateral (select now() - n * interval '1 minute' as at,
        case when n % 3 > 0 then 'main' else 'feature-' || n % ${branches} end as branch,
        case when n % 500 = 7 then 'error' when n % 10 = 3 then 'failure' else 'success' end as state) of`,
  `insert into deployment_issues (org_id, deployment_id, key, state)
    select $1, ${idOf('dep', 'n')}, 'ABC-' || n / 10, 'pending' from generate_series(1, $3::int) n where $2::text[] is not null
    union all
    select $1, ${idOf('dep', 'n')}, 'OPS-1', 'pending' from generate_series(1, $3::int, ${popularEvery}) n`,
  `insert into deployment_statuses (org_id, deployment_id, external_id, state, at)
    select $1, ${idOf('dep', 'n')}, n * 4 + m, 'in_progress', now() - n * interval '1 minute'
    from generate_series(1, $3::int, ${detailedEvery}) n, generate_series(1, 3) m where $2::text[] is not null`,
  `insert into deployment_commits (org_id, deployment_id, position, sha, message, author, at)
    select $1, ${idOf('dep', 'n')}, m, ${shaOf('n * 8 + m')}, 'Commit ' || m || ' of it', '{"login":"ada","name":"Ada"}', now()
    from generate_series(1, $3::int, ${detailedEvery}) n, generate_series(1, 8) m where $2::text[] is not null`,
  `insert into test_runs (org_id, id, deployment_id, name, state, passed, failed, created_at, finished_at)
    select $1, ${idOf('run', 'n')}, ${idOf('dep', 'n')}, 'End to end', 'passed', 120, 0, now(), now()
    from generate_series(1, $3::int, ${detailedEvery}) n where $2::text[] is not null`,
]

/** $1 organization, $2 how many versions each schema has in each environment, beside the one that it began with. */
export const versionsSql = [
  `insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes, open_values,
      secret_values, created_at)
    select v.org_id, v.schema_id, v.environment_id, v.version + n,
      ${idOf('ver', 'row_number() over ()')}, 'write', v.author,
      json_build_array(json_build_object('key', 'key' || n % 20, 'tier', 'public', 'change', 'changed',
        'before', 'value ' || n - 1, 'after', 'value ' || n)),
      json_build_object('key' || n % 20, 'value ' || n), '{}', now() - (1000 - n) * interval '1 minute'
    from current_values h join config_versions v using (org_id, schema_id, environment_id, version),
      generate_series(1, $2::int) n
    where h.org_id = $1`,
  `update current_values h set version = (select max(v.version) from config_versions v where v.org_id = h.org_id
      and v.schema_id = h.schema_id and v.environment_id = h.environment_id)
    where h.org_id = $1 and $2::int > 0`,
]

/** The id that the statements above give the deployment `n`. */
export function deploymentId(n: number): string {
  return `dep_01kz${n.toString(16).padStart(22, '0')}`
}
