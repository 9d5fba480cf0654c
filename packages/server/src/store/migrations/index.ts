import { spine } from './0001-spine.ts'
import { integrations } from './0002-integrations.ts'
import { flagRules } from './0004-flag-rules.ts'
import type { Migration } from './migration.ts'

/** Every step of the database's shape, in the order they run. */
export const migrations: readonly Migration[] = [spine, integrations, flagRules]
