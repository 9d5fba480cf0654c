import { silentLog as silent, type Log } from '../telemetry/log.ts'

/** Receives what the operator should know of the store and the jobs, with the fields of a log line and no others. */
export type StoreLog = Pick<Log, 'info' | 'warn' | 'error'>

/** Reports nothing. */
export const silentLog: StoreLog = silent
