import { EventEmitter } from 'node:events'
import type { EvaluationContext } from '@signalbox/contract'
import { readUnleash, type UnleashEnvironment } from '../unleash/feature-model.ts'
import type { JsonObject } from '../read-json.ts'
import { splitContext, type Judge } from './judge.ts'

interface Client extends EventEmitter {
  isEnabled(name: string, context: object): boolean
  getVariant(name: string, context: object): { readonly name: string }
  destroy(): void
}

/** Decides with the Node SDK of Unleash, whose repository of features is the export. */
export const unleashJudge: Judge = {
  packages: ['unleash-client'],
  open(load, text, options) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing class is reported
    const { Unleash } = load('unleash-client') as { Unleash: new (options: object) => Client }
    const { environments, segments } = readUnleash(text, options)
    const clients = new Map(
      environments.map((environment) => [
        environment.name,
        openClient(Unleash, environment, segments),
      ]),
    )
    return {
      decide({ key, environment }, context) {
        const client = clients.get(environment)
        if (client === undefined) return null
        return key.variants
          ? client.getVariant(key.from, toTheirs(context)).name
          : client.isEnabled(key.from, toTheirs(context))
      },
      close() {
        for (const client of clients.values()) client.destroy()
      },
    }
  },
}

/** Names what the SDK asks its repository for, in the SDK's words. */
const methods = {
  find: 'getToggle',
  list: 'getToggles',
  listWithSegments: 'getTogglesWithSegmentData',
} as const

function openClient(
  Unleash: new (options: object) => Client,
  { features }: UnleashEnvironment,
  segments: ReadonlyMap<string, JsonObject>,
): Client {
  const list = () => [...features.values()]
  const repository = Object.assign(new EventEmitter(), {
    [methods.find]: (name: string) => features.get(name),
    [methods.list]: list,
    [methods.listWithSegments]: list,
    getSegment: (id: unknown) => segments.get(String(id)),
    start: () => Promise.resolve(),
    stop() {},
  })
  const client = new Unleash({
    appName: 'signalbox',
    url: 'http://127.0.0.1:1/',
    repository,
    disableMetrics: true,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
  })
  client.on('error', () => undefined)
  repository.emit('ready')
  return client
}

const ownFields: ReadonlySet<string> = new Set([
  'sessionId',
  'remoteAddress',
  'environment',
  'appName',
  'currentTime',
])

function toTheirs(context: EvaluationContext): object {
  const { id, rest } = splitContext(context)
  const entries = Object.entries(rest)
  return {
    ...(id !== undefined && { userId: id }),
    ...Object.fromEntries(entries.filter(([name]) => ownFields.has(name))),
    properties: Object.fromEntries(entries.filter(([name]) => !ownFields.has(name))),
  }
}
