import { isRecord } from '../../project/json.ts'
import { environmentName, objectOf, type JsonSchema } from '../json-schema.ts'
import type { Fields, Kind, KindPlan, Step, Writing } from '../kind.ts'
import { listDifferences } from '../plan.ts'
import { findUnknownEnvironments, type World } from '../world.ts'

const schema: JsonSchema = {
  type: 'object',
  description: 'Environments by their names.',
  propertyNames: environmentName,
  additionalProperties: {
    ...objectOf({
      description: { type: 'string', description: 'What the environment is for.', maxLength: 1000 },
      production: {
        type: 'boolean',
        description: 'Clients ask for a confirmation before they change it.',
      },
      parent: {
        ...environmentName,
        type: ['string', 'null'],
        description: 'Environment that it inherits values from. null: none.',
      },
      protection: {
        ...objectOf({
          confirm: { type: 'boolean', description: 'Every change names the environment.' },
          comment: { type: 'boolean', description: 'Every change has a comment.' },
        }),
        description: 'What every change of its values needs, from every client.',
      },
    }),
    type: ['object', 'null'],
  },
}

/** Declares environments with their parents and their protection. */
export const environmentsKind: Kind = {
  member: 'environments',
  noun: 'environment',
  schema,
  async read(world) {
    const environments = await world.environments()
    return Promise.all(
      environments.map(async ({ name, description, production, parentId, protection }) => ({
        key: name,
        fields: {
          description,
          production,
          parent: parentId === null ? null : await world.nameOf(parentId),
          protection,
        },
      })),
    )
  },
  findViolations: (world, declared) =>
    findUnknownEnvironments(
      world,
      declared.flatMap(({ path, fields: { parent } }) =>
        typeof parent === 'string' ? [{ path: [...path, 'parent'], name: parent }] : [],
      ),
    ),
  async write(writing, { steps }) {
    const written = steps.filter((step) => step.change !== 'delete')
    for (const step of parentsFirst(written)) {
      await writeEnvironment(writing, step)
      writing.done(step)
    }
  },
  async remove(writing, plan) {
    for (const step of await childrenFirst(writing.world, plan)) {
      await removeEnvironment(writing, step.key)
      writing.done(step)
    }
  },
}

type Written = Exclude<Step, { readonly change: 'delete' }>

/** Orders steps so that a parent is there before its children are created. */
function parentsFirst(steps: readonly Written[]): readonly Written[] {
  const ordered = new Set<Written>()
  const add = (step: Written, above: readonly string[]) => {
    // A circle of parents is refused by the server, which says so.
    if (ordered.has(step) || above.includes(step.key)) return
    const parent = steps.find(({ key }) => key === step.after['parent'])
    if (parent !== undefined) add(parent, [...above, step.key])
    ordered.add(step)
  }
  for (const step of steps) add(step, [])
  return [...ordered]
}

async function childrenFirst(world: World, { steps }: KindPlan): Promise<readonly Step[]> {
  const environments = await world.environments()
  const depthOf = (name: string | null, levels = 0): number => {
    const environment = environments.find((each) => each.name === name)
    const parent = environments.find(({ id }) => id === environment?.parentId)
    return parent === undefined || levels > environments.length
      ? 0
      : 1 + depthOf(parent.name, levels + 1)
  }
  return steps
    .filter(({ change }) => change === 'delete')
    .toSorted((one, other) => depthOf(other.key) - depthOf(one.key))
}

async function writeEnvironment({ world, send }: Writing, step: Written): Promise<void> {
  const { api, orgId } = world
  const body = await toBody(world, step.change === 'create' ? step.after : changedFields(step))
  if (step.change === 'create') {
    await api.call('createEnvironment', {
      params: { org_id: orgId },
      body: { name: step.key, ...body },
    })
  } else {
    const { id } = await api.environment(orgId, step.key)
    await send((confirmation) =>
      api.call('updateEnvironment', {
        params: { org_id: orgId, environment_id: id },
        body: { ...body, ...confirmation },
      }),
    )
  }
  world.forgetEnvironments()
}

/** Returns only the members that change, so that what somebody else changes meanwhile stays. */
function changedFields({ before, after }: Extract<Step, { readonly change: 'change' }>): Fields {
  const changed = new Set(
    listDifferences(before, after).map(({ member }) => member.split('.', 1)[0]),
  )
  return Object.fromEntries(Object.entries(after).filter(([name]) => changed.has(name)))
}

async function toBody(world: World, { description, production, parent, protection }: Fields) {
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof production === 'boolean' && { production }),
    ...(parent !== undefined && {
      parentId: typeof parent === 'string' ? await world.idOf(parent) : null,
    }),
    ...(isRecord(protection) && {
      protection: {
        confirm: protection['confirm'] === true,
        comment: protection['comment'] === true,
      },
    }),
  }
}

async function removeEnvironment({ world, send }: Writing, name: string): Promise<void> {
  const { api, orgId } = world
  const { id } = await api.environment(orgId, name)
  await send((confirmation) =>
    api.call('deleteEnvironment', {
      params: { org_id: orgId, environment_id: id },
      query: confirmation,
    }),
  )
  world.forgetEnvironments()
}
