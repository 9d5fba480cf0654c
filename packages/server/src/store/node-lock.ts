import { advisoryLocks } from './advisory-locks.ts'

const key = advisoryLocks.nodes.join(', ')

/** Waits for an import that is under way, for as long as the session waits for locks. Ends with the session. */
export const shareNodeLock = `select pg_advisory_lock_shared(${key})`

/** Answers `held: false` at once where a node runs. Ends with the transaction. */
export const tryNodeLock = `select pg_try_advisory_xact_lock(${key}) as held`
