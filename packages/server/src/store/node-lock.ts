import { advisoryLocks } from './advisory-locks.ts'

const key = advisoryLocks.nodes.join(', ')

/**
 * Takes the shared lock of running nodes, until the session ends. Waits for a running import as long as the session
 * waits for locks.
 */
export const shareNodeLock = `select pg_advisory_lock_shared(${key})`

/** Takes the lock of an import, until the transaction ends. Returns `held: false` at once where a node runs. */
export const tryNodeLock = `select pg_try_advisory_xact_lock(${key}) as held`
