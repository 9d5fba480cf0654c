/** One step of the database's shape. Once released it is never edited: a later step corrects it. */
export interface Migration {
  /** Number and reason, such as `0001-spine`. Recorded in the database, so it is never renamed. */
  readonly name: string
  /** A script of statements, run as the owner inside one transaction together with the record that it ran. */
  readonly sql: string
}
