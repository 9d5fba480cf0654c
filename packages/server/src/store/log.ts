/** Receives what the operator should know of the store and the jobs. Fields never contain a secret. */
export interface StoreLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Reports nothing. */
export const silentLog: StoreLog = { info() {}, warn() {}, error() {} }
