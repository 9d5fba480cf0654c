import type { Answer } from '../../api/operations.ts'
import { displayName, environmentNames, objectOf, repositoryName } from '../json-schema.ts'
import type { Fields, Kind, Step, Writing } from '../kind.ts'
import { listDifferences } from '../plan.ts'
import { findUnknownEnvironments, namesIn, textOf, textsOf, type World } from '../world.ts'

type Route = Answer<'updateNotificationRoute'>
type State = Route['match']['states']
type Event = Route['events'][number]

const states = ['always', 'failures', 'changes'] as const satisfies readonly State[]
const events = [
  'deployment',
  'integration_attention',
  'protected_configuration',
] as const satisfies readonly Event[]

/** Declares which messages go to which channel. */
export const notificationRoutesKind: Kind = {
  member: 'notificationRoutes',
  noun: 'notification route',
  schema: {
    type: 'object',
    description: 'Notification routes by their names.',
    propertyNames: displayName,
    additionalProperties: objectOf(
      {
        channel: {
          type: 'string',
          description: 'Id of a channel, or its name with #, such as "#deploys".',
          minLength: 1,
          maxLength: 81,
        },
        events: {
          type: 'array',
          description: 'Kinds of messages.',
          items: { type: 'string', enum: events },
          minItems: 1,
          maxItems: events.length,
        },
        environments: {
          ...environmentNames,
          type: ['array', 'null'],
          description: 'Only these environments. null: all.',
        },
        repositories: {
          type: ['array', 'null'],
          description: 'Only these repositories; * is any text without a slash. null: all.',
          items: repositoryName,
          minItems: 1,
          maxItems: 50,
        },
        branches: {
          type: ['array', 'null'],
          description: 'Only these branches. null: all.',
          items: { type: 'string', minLength: 1, maxLength: 255 },
          minItems: 1,
          maxItems: 50,
        },
        states: {
          type: 'string',
          description: 'Every state, only failures, or only changes of the outcome.',
          enum: states,
        },
        broadcastFailures: {
          type: 'boolean',
          description: 'Shows failures in the channel too, beside the thread.',
        },
      },
      ['channel', 'events'],
    ),
  },
  async read(world) {
    const routes = await world.api.notificationRoutes(world.orgId)
    return Promise.all(
      routes.map(async (route) => ({
        key: route.name,
        fields: await toFields(world, route),
        remarks: { channel: `#${route.channelName}` },
      })),
    )
  },
  async normalize(world, fields) {
    const { channel } = fields
    if (typeof channel !== 'string' || !channel.startsWith('#')) return fields
    return { ...fields, channel: (await findChannel(world, channel.slice(1))) ?? channel }
  },
  async findViolations(world, declared) {
    const environments = declared.flatMap(({ path, fields }) =>
      namesIn(fields, path, 'environments'),
    )
    const channels = declared.flatMap(({ path, fields: { channel } }) =>
      typeof channel === 'string' && channel.startsWith('#')
        ? [
            {
              path: [...path, 'channel'],
              message: `The connected chat shows no channel "${channel}".`,
            },
          ]
        : [],
    )
    return [...channels, ...(await findUnknownEnvironments(world, environments))]
  },
  async write(writing, { steps }) {
    for (const step of steps) {
      if (step.change === 'delete') continue
      await writeRoute(writing, step)
      writing.done(step)
    }
  },
  async remove({ world: { api, orgId }, done }, { steps }) {
    for (const step of steps) {
      if (step.change !== 'delete') continue
      const params = { org_id: orgId, route_id: await idOf({ api, orgId }, step.key) }
      await api.call('deleteNotificationRoute', { params })
      done(step)
    }
  },
}

async function toFields(world: World, route: Route): Promise<Fields> {
  const { environmentIds, repositories, branches, states: chosen } = route.match
  return {
    channel: route.channelId,
    events: route.events,
    environments:
      environmentIds === null ? null : await Promise.all(environmentIds.map(world.nameOf)),
    repositories,
    branches,
    states: chosen,
    broadcastFailures: route.broadcastFailures,
  }
}

async function findChannel({ api, orgId }: World, name: string): Promise<string | undefined> {
  const routes = await api.notificationRoutes(orgId)
  const known = routes.find(({ channelName }) => channelName === name)
  if (known !== undefined) return known.channelId
  const { items } = await api.call('listChannels', {
    params: { org_id: orgId },
    query: { query: name, limit: 100 },
  })
  return items.find((channel) => channel.name === name && !channel.isArchived)?.id
}

async function writeRoute(
  { world }: Writing,
  step: Exclude<Step, { readonly change: 'delete' }>,
): Promise<void> {
  const { api, orgId } = world
  const body = await toBody(world, step.after)
  if (step.change === 'create') {
    await api.call('createNotificationRoute', {
      params: { org_id: orgId },
      body: { ...body, name: step.key },
    })
    return
  }
  const { channelId, ...rest } = body
  const isMoved = listDifferences(step.before, step.after).some(
    ({ member }) => member === 'channel',
  )
  await api.call('updateNotificationRoute', {
    params: { org_id: orgId, route_id: await idOf(world, step.key) },
    // A channel is tried at its chat before it is stored, so one that stays is left out.
    body: isMoved ? { ...rest, channelId } : rest,
  })
}

async function toBody(world: World, fields: Fields) {
  const environments = textsOf(fields['environments'])
  const repositories = textsOf(fields['repositories'])
  const branches = textsOf(fields['branches'])
  const chosen = states.find((state) => state === fields['states'])
  return {
    channelId: textOf(fields['channel']),
    match: {
      environmentIds:
        environments.length === 0 ? null : await Promise.all(environments.map(world.idOf)),
      repositories: repositories.length === 0 ? null : repositories,
      branches: branches.length === 0 ? null : branches,
      states: chosen ?? 'always',
    },
    events: events.filter((event) => textsOf(fields['events']).includes(event)),
    broadcastFailures: fields['broadcastFailures'] === true,
  }
}

async function idOf({ api, orgId }: Pick<World, 'api' | 'orgId'>, name: string): Promise<string> {
  const routes = await api.notificationRoutes(orgId)
  return routes.find((route) => route.name === name)?.id ?? name
}
