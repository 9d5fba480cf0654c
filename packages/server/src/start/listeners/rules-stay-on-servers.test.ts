import { endpoints, isWrite, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../service.ts'
import { openNodes, type Nodes } from '../testing/open-nodes.ts'

/** Stands in the conditions, names and segments of rules, and in what they serve to others. */
const planted = {
  condition: 'planted-customer',
  description: 'planted-description',
  segment: 'planted-segment',
  member: 'planted-member',
}
/** Served by rules, to those whom they are about. */
const served = ['planted-model', 'planted-variant', '424242', '434343']
const matching = { customer: planted.condition, targetingKey: planted.member }
const contexts = { nobody: { targetingKey: 'user-1', plan: 'pro' }, matching }

type Context = keyof typeof contexts

let nodes: Nodes
let node: Service
let words: Readonly<Record<string, string>>
let ids: readonly string[]
const tokens = { b2m: '', m2m: '' }

const keys = ['seats', 'model', 'checkout', 'newCheckout', 'theme']
const rulesFor = (...serves: readonly unknown[]) => [
  ...serves.map((serve) => ({
    description: planted.description,
    when: [{ attribute: 'customer', operator: 'equals', value: planted.condition }],
    serve,
  })),
  { when: [{ operator: 'segment', segment: planted.segment }], serve: serves[0] },
]
const split = (part: object, other: object) => ({
  split: [
    { ...part, percent: 50 },
    { ...other, percent: 50 },
  ],
})

beforeAll(async () => {
  nodes = await openNodes()
  node = await nodes.start()
  const { org, target } = await nodes.addConfiguration(node)
  const call = <Answer>(request: string, body?: object) =>
    nodes.call<Answer>(node, request.replace(' ', ` ${org}`), body)
  const { environmentId } = target
  const variants = [
    { name: 'control', on: false },
    { name: 'planted-variant', on: true },
  ]
  const { id: schemaId } = await call<{ id: string }>('POST /config-schemas', {
    name: 'ruled',
    schema: {
      seats: { type: 'number', tier: 'public', targeted: true, default: 5 },
      model: { type: 'string', tier: 'public', targeted: true, default: 'tiny' },
      theme: { type: 'string', tier: 'public', default: 'dark' },
      checkout: { type: 'boolean', variants },
      newCheckout: { type: 'boolean' },
    },
  })
  const member = { attribute: 'targetingKey', operator: 'equals', value: planted.member }
  await call('POST /segments', { name: planted.segment, anyOf: [{ when: [member] }] })
  const pair = { schemaId, environmentId }
  await call('PUT /config-values', {
    ...pair,
    values: { seats: 5, model: 'tiny', checkout: false, newCheckout: false },
    rules: {
      seats: rulesFor(split({ value: 424242 }, { value: 434343 })),
      model: rulesFor({ value: 'planted-model' }),
      checkout: rulesFor({ variant: 'planted-variant' }),
      newCheckout: rulesFor(true, { percent: 10 }),
    },
  })
  // Another version, so that the first one is history.
  await call('PUT /config-values', { ...pair, values: { theme: 'light' } })
  for (const kind of ['b2m', 'm2m'] as const) {
    const restriction = { environmentIds: [environmentId], schemaIds: [schemaId] }
    const made = await call<{ secret: string }>('POST /api-keys', {
      name: kind,
      kind,
      ...restriction,
    })
    tokens[kind] = made.secret
  }
  const place = `schemaId=${schemaId}&environmentId=${environmentId}`
  const own = await call<{ values: object }>(`GET /config-values?${place}`)
  ids = [...new Set(JSON.stringify(own).match(/rul_\w+/g))]
  const versions = await call<{ items: { id: string }[] }>(`GET /config-versions?${place}`)
  words = {
    org_id: org.slice('/organizations/'.length),
    schema_id: schemaId,
    environment_id: environmentId,
    segment: planted.segment,
    version_id: versions.items[0]?.id ?? '',
    place,
  }
}, 60_000)
afterAll(() => nodes?.close())

const all: readonly EndpointShape[] = Object.values(endpoints)
const reads = all.filter(
  (endpoint) => endpoint.access.kind === 'organization' && !isWrite(endpoint),
)

function queriesOf({ path, operationId }: EndpointShape): readonly string[] {
  if (operationId === 'streamSnapshot') return ['', '?events=ofrep']
  if (path.includes('/evaluate') || path.startsWith('/snapshots/')) return ['']
  const named = '?environment=live&schema=ruled'
  if (path.includes('/config/')) return [named, `${named}&names=variables`]
  if (operationId === 'getConfigMatrix') return [`?schemaId=${words['schema_id']}`]
  return [`?${words['place']}`, `?${words['place']}&reveal=true`]
}

/** Returns the URLs of a read: each key, and each version, where its path names one. */
function urlsOf(endpoint: EndpointShape): readonly string[] {
  const { path, listener } = endpoint
  const named = path.includes('{key}')
    ? keys.map((key) => path.replace('{key}', key))
    : ['1', '2'].map((version) => path.replace('{version}', version))
  const paths = named.map((one) =>
    one.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name] ?? 'absent'),
  )
  const bases = listener === 'delivery' ? [node.apiUrl, node.configUrl] : [node.apiUrl]
  return bases.flatMap((base) =>
    [...new Set(paths)].flatMap((one) =>
      queriesOf(endpoint).map((query) => `${base}${one}${query}`),
    ),
  )
}

/** Returns the answer with its headers: of a stream, up to the end of its first event. */
async function ask(endpoint: EndpointShape, url: string, token: string, context: object) {
  const { method, path } = endpoint
  const evaluation = path.includes('/ofrep/')
    ? { context }
    : { environment: 'live', schema: 'ruled', context }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: method === 'GET' ? headers : { ...headers, 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(evaluation) }),
  })
  let text = JSON.stringify([...answer.headers])
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  for await (const bytes of answer.body ?? []) {
    text += new TextDecoder().decode(bytes)
    if (isStream && text.includes('data:')) break
  }
  return { status: answer.status, text }
}

/** Asks everything, and says which operations answered, and in which ones each of the texts was. */
async function walk(kind: keyof typeof tokens, context: Context, texts: readonly string[]) {
  const answered = new Set<string>()
  const seen = new Map<string, string[]>()
  for (const endpoint of reads) {
    for (const url of urlsOf(endpoint)) {
      const { status, text } = await ask(endpoint, url, tokens[kind], contexts[context])
      if (status === 200) answered.add(endpoint.operationId)
      const found = texts.filter((each) => text.includes(each))
      for (const each of found) seen.set(each, [...(seen.get(each) ?? []), url])
    }
  }
  return { answered, seen }
}

const listSecrets = () => [
  ...Object.values(planted),
  ...ids,
  'matchedRuleId',
  'bucket',
  'flagRules',
  'targeting"',
]

describe('a browser key', () => {
  const admitted = reads.filter(
    ({ access }) => access.kind === 'organization' && access.keys === 'm2m+b2m',
  )

  it.each(['nobody', 'matching'] as const)(
    'learns nothing of rules by any read, for a context that is %s',
    async (context) => {
      const secrets = listSecrets()
      const { answered, seen } = await walk('b2m', context, [...secrets, ...served])
      expect(answered).toEqual(new Set(admitted.map(({ operationId }) => operationId)))
      const foreign = [...seen].filter(([text]) => secrets.includes(text))
      expect(foreign).toEqual([])
      // The users of a rule get its value by evaluation alone.
      const ways = served.flatMap((text) => seen.get(text) ?? [])
      expect(ways.filter((url) => !url.includes('/evaluate'))).toEqual([])
      expect(ways.length > 0).toBe(context === 'matching')
    },
    60_000,
  )

  it('control: a server key finds all of it by the same walk', async () => {
    const texts = [...listSecrets(), ...served]
    const { seen } = await walk('m2m', 'matching', texts)
    expect(texts.filter((text) => !seen.has(text))).toEqual([])
    expect(ids.length).toBeGreaterThan(8)
  }, 60_000)
})
