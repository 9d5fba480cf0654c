import type { Migration } from './migration.ts'

/** Adds the moment at which the results of a test report were deleted because of their age. Null: they are stored. */
export const oldTestResults: Migration = {
  name: '0047-old-test-results',
  sql: `
alter table test_reports add column results_deleted_at timestamptz;
`,
}

/**
 * Creates the indexes by which old rows are found: the reports whose results are stored, by their age, and the test runs during
 * which a deployment went live. The column of the first has to exist before, so this is a migration of its own.
 */
export const oldTestResultIndexes: Migration = {
  name: '0047-test-results-by-age',
  sql: '',
  indexes: [
    {
      name: 'test_reports_age',
      on: 'test_reports (received_at) where results_deleted_at is null',
    },
    {
      name: 'test_runs_contaminated',
      on: 'test_runs (org_id, contaminated_by) where contaminated_by is not null',
    },
  ],
}
