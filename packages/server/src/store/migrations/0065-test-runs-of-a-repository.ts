import type { Migration } from './migration.ts'

/** Creates the index by which the test runs of one repository in one environment are listed. */
export const testRunsOfARepository: Migration = {
  name: '0065-test-runs-of-a-repository',
  sql: '',
  indexes: [
    {
      name: 'test_runs_repository',
      on: 'test_runs (org_id, repository_id, environment_id, created_at desc, id desc)',
    },
  ],
}
