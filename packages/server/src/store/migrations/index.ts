import { spine } from './0001-spine.ts'
import type { Migration } from './migration.ts'

/** Every step of the database's shape, in the order they run. */
export const migrations: readonly Migration[] = [spine]
