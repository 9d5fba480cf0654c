import { chooseByName, type Api } from '../../api/api.ts'
import type { ApiKey, Group } from '../../api/operations.ts'

/** Finds the group of this name or id. @throws {CliError} `group_not_found`, `ambiguous_name` */
export async function findGroup(api: Api, orgId: string, reference: string): Promise<Group> {
  return chooseByName(await api.groups(orgId), reference, {
    noun: 'group',
    code: 'group_not_found',
    create: 'signalbox groups create <name>',
  })
}

/** Finds the API key of this name or id. @throws {CliError} `key_not_found`, `ambiguous_name` */
export async function findKey(api: Api, orgId: string, reference: string): Promise<ApiKey> {
  const keys = (await api.apiKeys(orgId)).filter(({ state }) => state !== 'revoked')
  return chooseByName(keys, reference, {
    noun: 'API key',
    code: 'key_not_found',
    create: 'Create a server key in the dashboard, under API keys.',
  })
}

/** Returns the ids of environments by their names or ids. @throws {CliError} `environment_not_found` */
export function findEnvironmentIds(
  api: Api,
  orgId: string,
  names: readonly string[],
): Promise<string[]> {
  return Promise.all(names.map(async (name) => (await api.environment(orgId, name)).id))
}

/** Returns the ids of schemas by their names or ids. @throws {CliError} `schema_not_found` */
export async function findSchemaIds(
  api: Api,
  orgId: string,
  names: readonly string[],
): Promise<string[]> {
  const schemas = await api.schemas(orgId)
  const create = 'signalbox push'
  return names.map(
    (name) => chooseByName(schemas, name, { noun: 'schema', code: 'schema_not_found', create }).id,
  )
}
