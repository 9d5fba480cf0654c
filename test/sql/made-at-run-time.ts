/** SQL that is made at run time, each with its reason. Everything else is found in the source. */
export const madeAtRunTime = [
  // Commands for a backup: they go through the tables that the database itself lists.
  'packages/server/src/store/raw-query.ts',
  // pg-boss writes its own.
  'packages/server/src/jobs/create-jobs.ts',
]

/** The files that hand on such SQL: another one would hide statements from the check (docs/decisions/0044). */
export const handOnSql = [
  'packages/server/src/jobs/create-jobs.ts',
  'packages/server/src/store/export-database.ts',
  'packages/server/src/store/import-database.ts',
  'packages/server/src/store/table-catalog.ts',
]
