import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FlagdProvider } from '@openfeature/flagd-provider'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { SpanEventHook } from '@openfeature/open-telemetry-hooks'
import { OpenFeature, type Provider } from '@openfeature/server-sdk'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../service.ts'
import { openNodes, type Nodes } from '../testing/open-nodes.ts'

let nodes: Nodes
let node: Service
let directory: string
let token: string
let call: <Answer>(request: string, body?: object) => Promise<Answer>
let pair: { readonly schemaId: string; readonly environmentId: string }
let flagdPath: string

const exporter = new InMemorySpanExporter()
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
}).getTracer('shop')
const pro = { targetingKey: 'user-1', plan: 'pro' }

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  OpenFeature.addHooks(new SpanEventHook())
  directory = await mkdtemp(join(tmpdir(), 'signalbox-traces-'))
  nodes = await openNodes()
  node = await nodes.start()
  const { org, target } = await nodes.addConfiguration(node)
  call = (request, body) => nodes.call(node, request.replace(' ', ` ${org}`), body)
  const { id: schemaId } = await call<{ id: string }>('POST /config-schemas', {
    name: 'shop',
    schema: {
      checkout: { type: 'boolean', default: false },
      dark: { type: 'boolean', default: false },
      seats: { type: 'number', tier: 'public', targeted: true, default: 5 },
      stripeKey: { type: 'string' },
    },
  })
  const { environmentId } = target
  pair = { schemaId, environmentId }
  const restriction = { environmentIds: [environmentId], schemaIds: [schemaId] }
  const key = { name: 'shop', kind: 'm2m', ...restriction }
  token = (await call<{ secret: string }>('POST /api-keys', key)).secret
  flagdPath = `${org}/config/flagd?environment=live&schema=shop`
}, 60_000)
afterAll(async () => {
  context.disable()
  await OpenFeature.close()
  await nodes?.close()
  await rm(directory, { recursive: true, force: true })
})

const set = (values: object, rules?: object) =>
  call('PUT /config-values', { ...pair, values, ...(rules && { rules }) })
const headers = () => ({ authorization: `Bearer ${token}` })
const ofrep = (fetchImplementation: typeof fetch = fetch) =>
  new OFREPProvider({ baseUrl: node.configUrl ?? '', headers: headers(), fetchImplementation })

/** Reads the definition as a file beside an application, by the provider for flagd. */
async function flagd() {
  const answer = await fetch(`${node.configUrl}${flagdPath}`, { headers: headers() })
  const path = join(directory, 'flags.flagd.json')
  await writeFile(path, await answer.text())
  return new FlagdProvider({ resolverType: 'in-process', offlineFlagSourcePath: path })
}

/** Evaluates within a request that is traced, and returns the attributes of the events of its span by flag. */
async function traceWith(provider: Provider) {
  await OpenFeature.setProviderAndWait('shop', provider)
  const client = OpenFeature.getClient('shop')
  exporter.reset()
  await tracer.startActiveSpan('GET /cart', async (span) => {
    await client.getBooleanValue('checkout', false, pro)
    await client.getBooleanValue('dark', false, pro)
    await client.getNumberValue('seats', 1, pro)
    span.end()
  })
  const [span] = exporter.getFinishedSpans()
  const events = (span?.events ?? []).map(({ attributes = {} }) => attributes)
  return Object.fromEntries(
    events.map(({ 'feature_flag.key': key, ...attributes }) => [key, attributes]),
  )
}

const inVersion = (version: string) =>
  expect.objectContaining({
    'feature_flag.set.id': 'shop/live',
    'feature_flag.version': version,
  })

/** Writes three versions of which the second changes one flag, and the third none. */
async function writeVersions() {
  await set({ checkout: true }, { checkout: [] })
  await set({ seats: 5 }, { seats: [{ when: [], serve: { value: 50 } }] })
  await set({ stripeKey: 'sk_live_1' })
}

describe('the span of a request', () => {
  beforeAll(writeVersions)

  it.each([
    ['OFREP', () => Promise.resolve(ofrep())],
    ['the definition of flagd', flagd],
  ])('names the set and the version of each flag that it has read by %s', async (_, open) => {
    const versions = { checkout: inVersion('2'), dark: inVersion('1'), seats: inVersion('3') }
    await expect.poll(async () => traceWith(await open())).toEqual(versions)
  })

  it('names the version whose entry in the history changed the flag', async () => {
    const traced = await traceWith(ofrep())
    const { items } = await call<{ items: { version: number; changes: { key: string }[] }[] }>(
      `GET /config-versions?schemaId=${pair.schemaId}&environmentId=${pair.environmentId}`,
    )
    for (const key of ['checkout', 'seats']) {
      const version = Number(traced[key]?.['feature_flag.version'])
      const entry = items.find((item) => item.version === version)
      expect(entry?.changes.map((change) => change.key)).toEqual([key])
    }
  })

  it('control: without the metadata of the answers it names neither', async () => {
    const withoutMetadata: typeof fetch = async (...request) => {
      const answer = await fetch(...request)
      const { metadata: _, ...rest } = (await answer.json()) as Record<string, unknown>
      return Response.json(rest, { status: answer.status })
    }
    const traced = await traceWith(ofrep(withoutMetadata))
    expect(traced['checkout']).toMatchObject({ 'feature_flag.result.variant': 'on' })
    for (const attributes of Object.values(traced)) {
      expect(attributes).not.toHaveProperty('feature_flag.set.id')
      expect(attributes).not.toHaveProperty('feature_flag.version')
    }
  })
})
