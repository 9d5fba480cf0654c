import { isRecord } from '../../project/json.ts'
import { environmentName, objectOf, repositoryName } from '../json-schema.ts'
import type { Fields, Kind } from '../kind.ts'
import {
  findUnknownEnvironments,
  findUnknownRepositories,
  textOf,
  type NamedAt,
  type World,
} from '../world.ts'
import { listNamed, repositoryIdOf, repositoryNameOf } from './codehost-names.ts'

/** Declares which environment a host environment is, by patterns of which the first match counts. */
export const environmentMapKind: Kind = {
  member: 'environmentMap',
  noun: 'rule of the environment map',
  schema: {
    type: 'array',
    description:
      'Environments of the connected code host and those of Signalbox. The first match counts.',
    maxItems: 200,
    items: objectOf(
      {
        pattern: {
          type: 'string',
          description: 'Name of the environment at the code host; * is any text. Example: prod*.',
          minLength: 1,
          maxLength: 255,
        },
        repository: { ...repositoryName, description: 'Only this repository. Default: all.' },
        environment: {
          ...environmentName,
          type: ['string', 'null'],
          description: 'Environment of Signalbox. null: deployments there are not recorded.',
        },
      },
      ['pattern', 'environment'],
    ),
  },
  keyOf: (item) => (isRecord(item) ? keyOf(item) : ''),
  isOrdered: true,
  async read(world) {
    const { environmentMap } = await world.codehost()
    return Promise.all(
      environmentMap.map(async ({ pattern, repositoryId, environmentId }) => {
        const repository = await repositoryNameOf(world, repositoryId)
        const environment = environmentId === null ? null : await world.nameOf(environmentId)
        const fields = { pattern, ...repository, environment }
        return { key: keyOf(fields), fields }
      }),
    )
  },
  async findViolations(world, declared) {
    const environments = declared.flatMap(({ path, fields: { environment } }): NamedAt[] =>
      typeof environment === 'string'
        ? [{ path: [...path, 'environment'], name: environment }]
        : [],
    )
    return [
      ...(await findUnknownEnvironments(world, environments)),
      ...(await findUnknownRepositories(world, listNamed(declared, 'repository'))),
    ]
  },
  // The rules are one list, so rules that go are left out of it here, before the environments that they name are deleted.
  async write({ world, done }, { steps, isReordered, target }) {
    if (steps.length === 0 && !isReordered) return
    await world.requireUnchanged('environmentMap')
    await world.api.call('updateCodehost', {
      params: { org_id: world.orgId },
      body: {
        environmentMap: await Promise.all(target.map(({ fields }) => toRule(world, fields))),
      },
    })
    for (const step of steps) done(step)
  },
  remove: async () => undefined,
}

function keyOf({ pattern, repository }: Fields): string {
  return repository === undefined ? textOf(pattern) : `${textOf(pattern)} in ${textOf(repository)}`
}

async function toRule(world: World, { pattern, repository, environment }: Fields) {
  return {
    pattern: textOf(pattern),
    ...(await repositoryIdOf(world, repository)),
    environmentId: typeof environment === 'string' ? await world.idOf(environment) : null,
  }
}
