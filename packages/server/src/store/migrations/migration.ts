/** Describes one migration. Once released it is never edited: a later one corrects it. */
export interface Migration {
  /** Holds the number and the reason, such as `0001-baseline`. It is recorded in the database, so it is never renamed. */
  readonly name: string
  /** Holds the statements. They run as the owner, in one transaction together with the record that they ran. */
  readonly sql: string
  /**
   * Lists indexes of tables that may be large. They are made one after the other before the statements, outside of a transaction,
   * so that the nodes write meanwhile. A start that was interrupted makes them again.
   */
  readonly indexes?: readonly ConcurrentIndex[]
  /**
   * Names the oldest migration that a release must know to work on the database from now on. Left out where the releases before
   * this one still do, because the migration only adds: `testing/judge-migration.ts` says what that is. A migration that takes
   * away what an older release uses names the one with which releases stopped to use it.
   */
  readonly compatibleFrom?: string
}

/** Describes an index that is made while the table is in use. */
export interface ConcurrentIndex {
  readonly name: string
  /** Holds what follows the word `on`, such as `deployments (org_id, created_at)`. */
  readonly on: string
  readonly isUnique?: true
}

/** Returns the oldest migration that a release must know after all of `migrations`, which are in order. */
export function requirementOf(migrations: readonly Migration[]): string {
  const named = migrations.map(({ compatibleFrom = '' }) => compatibleFrom)
  return named.reduce((latest, name) => (name > latest ? name : latest), migrations[0]?.name ?? '')
}
