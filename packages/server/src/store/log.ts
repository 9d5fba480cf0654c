/** Where the store and the jobs report what a person running the service should know. Fields never hold a secret. */
export interface StoreLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Reports nothing. */
export const silentLog: StoreLog = { info() {}, warn() {}, error() {} }
