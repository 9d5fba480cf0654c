import type { Tx } from '../store/store.ts'

/** Describes an environment that is created with the set-up. */
export interface FirstEnvironment {
  readonly id: string
  readonly name: string
}

/**
 * Describes what identity needs of the configuration half, which imports identity and so is given to it.
 * All of it runs in the caller's transaction, bound to the organization.
 */
export interface ConfigDirectory {
  /** Creates development, staging and production in an organization that has just been created. */
  createFirstEnvironments(tx: Tx, orgId: string): Promise<readonly FirstEnvironment[]>
  /** Those of `ids` that are environments of the organization. */
  findEnvironmentIds(tx: Tx, orgId: string, ids: readonly string[]): Promise<readonly string[]>
  /** Those of `ids` that are configuration schemas of the organization. */
  findSchemaIds(tx: Tx, orgId: string, ids: readonly string[]): Promise<readonly string[]>
}
