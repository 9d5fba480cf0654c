/** The migrated database that tests copy from. */
export const templateDatabase = 'signalbox_template'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The database `postgres` of the run's server, as its superuser. */
    postgresUrl: string
  }
}
