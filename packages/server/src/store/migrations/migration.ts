/** Describes one migration. Once released it is never edited: a later one corrects it. */
export interface Migration {
  /** Holds the number and the reason, such as `0001-spine`. It is recorded in the database, so it is never renamed. */
  readonly name: string
  /** Holds the statements. They run as the owner, in one transaction together with the record that they ran. */
  readonly sql: string
}
