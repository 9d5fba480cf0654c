import { spine } from './0001-spine.ts'
import { integrations } from './0002-integrations.ts'
import { deadJobs } from './0003-dead-jobs.ts'
import { dispatches } from './0004-dispatches.ts'
import { plainBodies } from './0006-plain-bodies.ts'
import type { Migration } from './migration.ts'

/** Every step of the database's shape, in the order they run. */
export const migrations: readonly Migration[] = [
  spine,
  integrations,
  deadJobs,
  dispatches,
  plainBodies,
]
