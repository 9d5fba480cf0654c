/**
 * Running nodes share this advisory lock for as long as they listen, so that an import, which takes it alone, never
 * puts other data under them: they hold data keys, schemas and credentials in memory.
 */
const key = '1397182028, 3'

/** Waits for an import that is under way, for as long as the session waits for locks. Ends with the session. */
export const shareNodeLock = `select pg_advisory_lock_shared(${key})`

/** Answers `held: false` at once where a node runs. Ends with the transaction. */
export const tryNodeLock = `select pg_try_advisory_xact_lock(${key}) as held`
