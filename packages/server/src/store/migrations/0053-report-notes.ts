import type { Migration } from './migration.ts'

/** Adds what a reader has to know of the reports of a test run: which of them are missing, and what in them is doubtful. */
export const reportNotes: Migration = {
  name: '0053-report-notes',
  sql: `
alter table test_runs add column report_notes text[] not null default '{}';
`,
}
