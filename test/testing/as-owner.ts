/** A database that can be changed behind the service's back. */
export interface AsOwner {
  readonly asOwner: (sql: string) => Promise<unknown>
}
