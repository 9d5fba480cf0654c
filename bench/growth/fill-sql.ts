/** Fills tables by sets of rows: a million of them over HTTP would take an hour. */

/** Returns the shape of an id of `kind` for the number `n`, which is SQL. */
const idOf = (kind: string, n: string) => `'${kind}_01kz' || lpad(to_hex((${n})::bigint), 22, '0')`
const shaOf = (n: string) => `left(encode(sha256((${n})::text::bytea), 'hex'), 40)`

const repositories = 20
const branches = 50
/** One of so many deployments has commits and a test run. */
const detailedEvery = 20

/** Rows of organizations and environments that the API has made; triggers and foreign keys would find nothing wrong with them. */
export const withoutTriggers = 'set session_replication_role = replica'

/** $1 organizations, $2 how many keys there are, $3 how many there are to be. */
export const apiKeysSql = [
  `insert into api_keys (org_id, id, name, kind, created_by)
    select ($1::text[])[1 + n % cardinality($1::text[])], ${idOf('key', 'n')}, 'Key ' || n,
      case when n % 2 = 0 then 'b2m' else 'm2m' end, '{"kind":"system"}'
    from generate_series($2::int + 1, $3::int) n`,
  `insert into api_key_secrets (org_id, key_id, handle, hash)
    select ($1::text[])[1 + n % cardinality($1::text[])], ${idOf('key', 'n')}, left(encode(sha256(n::text::bytea), 'hex'), 10) || n,
      sha256(('secret ' || n)::bytea)
    from generate_series($2::int + 1, $3::int) n`,
]

/** $1 organization, $2 its environments, $3 how many deployments there are, $4 how many there are to be. One a minute, the newest first. */
export const deploymentsSql = [
  `insert into repositories (org_id, id, external_id, full_name)
    select $1, ${idOf('repo', 'n')}, n::text, 'acme/app-' || n from generate_series(1, ${repositories}) n
    where $2::text[] is not null and $3::int >= 0 and $4::int > 0 on conflict do nothing`,
  `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, branch, host_environment,
      environment_id, state, reported_state, finished_at, succeeded_at, commit_message, creator, range, source, created_at)
    select $1, ${idOf('dep', 'n')}, ${idOf('repo', `1 + n % ${repositories}`)}, n::text, ${shaOf('n')}, branch, 'branch', branch,
      'env-' || n % cardinality($2::text[]), ($2::text[])[1 + n % cardinality($2::text[])], state, case when state = 'superseded' then 'success' else state end, at,
      case when state in ('success', 'superseded') then at end, 'Change number ' || n, '{"login":"ada","name":"Ada"}',
      json_build_object('base', null, 'head', ${shaOf('n')}, 'status', 'ahead', 'total', 8, 'truncated', false, 'comparedAt', at),
      'webhook', at
    from generate_series($3::int + 1, $4::int) n,
      lateral (select now() - n * interval '1 minute' as at,
        case when n % 3 > 0 then 'main' else 'feature-' || n % ${branches} end as branch,
        case when n % 500 = 7 then 'error' when n % 10 = 3 then 'failure' when n <= ${2 * repositories} then 'success'
          else 'superseded' end as state) of`,
  `insert into deployment_issues (org_id, deployment_id, key, state)
    select $1, ${idOf('dep', 'n')}, 'ABC-' || n / 10, 'pending' from generate_series($3::int + 1, $4::int) n
    where $2::text[] is not null`,
  `insert into deployment_statuses (org_id, deployment_id, external_id, state, at)
    select $1, ${idOf('dep', 'n')}, n * 4 + m, 'in_progress', now() - n * interval '1 minute'
    from generate_series($3::int + 1, $4::int) n, generate_series(1, 3) m
    where n % ${detailedEvery} = 0 and $2::text[] is not null`,
  `insert into deployment_commits (org_id, deployment_id, position, sha, message, author, at)
    select $1, ${idOf('dep', 'n')}, m, ${shaOf('n * 8 + m')}, 'Commit ' || m || ' of it', '{"login":"ada","name":"Ada"}', now()
    from generate_series($3::int + 1, $4::int) n, generate_series(1, 8) m
    where n % ${detailedEvery} = 0 and $2::text[] is not null`,
  `insert into test_runs (org_id, id, deployment_id, name, state, passed, failed, created_at, finished_at)
    select $1, ${idOf('run', 'n')}, ${idOf('dep', 'n')}, 'End to end', 'passed', 120, 0, at, at
    from generate_series($3::int + 1, $4::int) n, lateral (select now() - n * interval '1 minute' as at) of
    where n % ${detailedEvery} = 0 and $2::text[] is not null`,
]

/**
 * Fills the table of webhooks. $1 how many, $2 the least id of each day, $3 when the first day begins. They come evenly, with two
 * kilobytes each, as packed webhooks are.
 */
export const webhooksSql = `insert into received_webhooks (id, provider, delivery_id, event, headers, body, state, origin, received_at)
  select ($2::text[])[1 + floor((n - 1)::float8 * cardinality($2::text[]) / $1::int)::int] || lpad(to_hex(n), 16, '0'), 'github', md5(n::text)::uuid::text, 'push', '{}',
    sha256(n::text::bytea) || decode(repeat(md5(n::text) || md5((n + 1)::text), 32), 'hex'), 'done', 'push',
    $3::timestamptz + (n - 1) * (cardinality($2::text[]) * interval '1 day' / $1::int)
  from generate_series(1, $1::int) n`

/** $1 how many results each test run has. */
export const testResultsSql = [
  `insert into test_reports (org_id, run_id, attempt, content_hash, format, summary, received_at)
    select org_id, id, 1, '', 'ctrf', '{}', finished_at from test_runs where $1::int >= 0`,
  `insert into test_results (org_id, run_id, attempt, case_hash, suite, name, status, duration_ms)
    select org_id, id, 1, substr(sha256(n::text::bytea), 1, 16), 'checkout', 'pays by card number ' || n, 'passed', 1200
    from test_runs, generate_series(1, $1::int) n`,
]
