import { isRecord } from '../../project/json.ts'
import { environmentNames, objectOf, repositoryName } from '../json-schema.ts'
import type { Fields, Kind } from '../kind.ts'
import {
  findUnknownEnvironments,
  findUnknownRepositories,
  namesIn,
  textOf,
  textsOf,
  type World,
} from '../world.ts'
import { listNamed, repositoryIdOf, repositoryNameOf } from './codehost-names.ts'

/** Declares the workflows that test deployments. */
export const testWorkflowsKind: Kind = {
  member: 'testWorkflows',
  noun: 'test workflow',
  schema: {
    type: 'array',
    description: 'Workflows of GitHub that test deployments.',
    maxItems: 50,
    items: objectOf(
      {
        workflow: {
          type: 'string',
          description: 'File of the workflow, such as e2e.yml, or its number.',
          minLength: 1,
          maxLength: 255,
        },
        repository: { ...repositoryName, description: 'Only this repository. Default: all.' },
        environments: {
          ...environmentNames,
          type: ['array', 'null'],
          description: 'Environments to test. Default: all that are not production.',
        },
        debounceSeconds: {
          type: 'integer',
          description: 'Seconds for which a deployment must stay the newest. Default: 10.',
          minimum: 0,
          maximum: 3600,
        },
        deadlineMinutes: {
          type: 'integer',
          description: 'Minutes after which an unfinished run counts as timed out. Default: 60.',
          minimum: 1,
          maximum: 1440,
        },
      },
      ['workflow'],
    ),
  },
  keyOf: (item) => (isRecord(item) ? keyOf(item) : ''),
  async read(world) {
    const { testWorkflows } = await world.codehost()
    return Promise.all(
      testWorkflows.map(async ({ workflowId, repositoryId, environmentIds, ...times }) => {
        const environments =
          environmentIds === undefined ? null : await Promise.all(environmentIds.map(world.nameOf))
        const fields = {
          workflow: workflowId,
          ...(await repositoryNameOf(world, repositoryId)),
          environments,
          ...times,
        }
        return { key: keyOf(fields), fields }
      }),
    )
  },
  async findViolations(world, declared) {
    const environments = declared.flatMap(({ path, fields }) =>
      namesIn(fields, path, 'environments'),
    )
    return [
      ...(await findUnknownEnvironments(world, environments)),
      ...(await findUnknownRepositories(world, listNamed(declared, 'repository'))),
    ]
  },
  async write({ world, done }, { steps, target }) {
    if (steps.length === 0) return
    await world.requireUnchanged('testWorkflows')
    await world.api.call('updateCodehost', {
      params: { org_id: world.orgId },
      body: {
        testWorkflows: await Promise.all(target.map(({ fields }) => toWorkflow(world, fields))),
      },
    })
    for (const step of steps) done(step)
  },
  remove: async () => undefined,
}

function keyOf({ workflow, repository }: Fields): string {
  return repository === undefined
    ? textOf(workflow)
    : `${textOf(workflow)} in ${textOf(repository)}`
}

async function toWorkflow(
  world: World,
  { workflow, repository, environments, debounceSeconds = 10, deadlineMinutes = 60 }: Fields,
) {
  const names = textsOf(environments)
  return {
    workflowId: textOf(workflow),
    ...(await repositoryIdOf(world, repository)),
    ...(names.length > 0 && { environmentIds: await Promise.all(names.map(world.idOf)) }),
    debounceSeconds: Number(debounceSeconds),
    deadlineMinutes: Number(deadlineMinutes),
  }
}
