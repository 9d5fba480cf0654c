import { describeUnknown, nameIds, type NamedId, type NamedIds } from '../http/input/known-ids.ts'
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

/** Finds what of the organization has these ids. */
export type FindWithin = Pick<ConfigDirectory, 'findEnvironmentIds' | 'findSchemaIds'>

/** Names environments and schemas of a request. */
interface NamedWithin {
  readonly environments: readonly NamedId[]
  readonly schemas: readonly NamedId[]
}

/** Looks up the environments and the schemas that a request names, for the functions that refuse unknown ids. */
export async function lookUpWithin(
  tx: Tx,
  { configs, orgId }: { readonly configs: FindWithin; readonly orgId: string },
  { environments, schemas }: NamedWithin,
): Promise<readonly NamedIds[]> {
  return [
    {
      named: environments,
      known: new Set(await configs.findEnvironmentIds(tx, orgId, idsOf(environments))),
      detail: describeUnknown('environment'),
    },
    {
      named: schemas,
      known: new Set(await configs.findSchemaIds(tx, orgId, idsOf(schemas))),
      detail: describeUnknown('configuration schema'),
    },
  ]
}

function idsOf(named: readonly NamedId[]): string[] {
  return named.flatMap(({ id }) => id ?? [])
}

/** Names the lists of a body. */
export function nameWithin({
  environmentIds,
  schemaIds,
}: {
  readonly environmentIds?: readonly string[] | null | undefined
  readonly schemaIds?: readonly string[] | null | undefined
}): NamedWithin {
  return {
    environments: nameIds(['environmentIds'], environmentIds),
    schemas: nameIds(['schemaIds'], schemaIds),
  }
}
