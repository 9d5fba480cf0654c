import type { Migration } from './migration.ts'

/** Takes test results that were read from the code host beside those that pipelines upload. */
export const reportsOfCodeHosts: Migration = {
  name: '0042-reports-of-code-hosts',
  sql: `
alter table test_reports drop constraint test_reports_format_check;
alter table test_reports add constraint test_reports_format_check
  check (format in ('ctrf', 'junit', 'codehost')) not valid;
`,
}
