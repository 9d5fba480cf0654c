import { promotionExceptions } from '@signalbox/contract'
import fc from 'fast-check'
import { nastyJson } from '../../../packages/server/src/http/testing/nasty-json.ts'
import { headerNames, headerValues, hostileEncodings, hostileTexts, wires } from './texts.ts'

/** Holds the ids of the resources that the cases are sent to. */
export interface CaseTargets {
  readonly orgId: string
  readonly environmentId: string
  readonly otherEnvironmentId: string
  /** The schema whose values are written. */
  readonly valuesId: string
  /** The schema that is replaced. */
  readonly shapeId: string
  /** A server key. */
  readonly key: string
}

export type Kind =
  | 'values'
  | 'promote'
  | 'createSchema'
  | 'replaceSchema'
  | 'environment'
  | 'apiKey'
  | 'body'
  | 'query'
  | 'path'
  | 'header'
  | 'wire'

/** One request. `bytes` of the kind `wire` is the whole request as it goes over the connection. */
export interface BadAsk {
  readonly kind: Kind
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | undefined
  /** Sent to where applications read, not to the API. */
  readonly toDelivery?: boolean
  /** The dictionary knows that nobody may accept this. */
  readonly mustRefuse: boolean
}

/** A case that does not know yet where it will be sent. */
export type BadCase = (places: CaseTargets) => BadAsk

/** The types of the keys of the schema whose values are written. */
export const valueKeys = {
  text: 'string',
  note: 'string',
  word: 'string',
  amount: 'number',
  price: 'number',
  on: 'boolean',
  hidden: 'boolean',
  plans: 'json',
} as const

const smallEntryBytesMax = 8_192
const small = nastyJson.filter(({ bytes }) => bytes.length <= smallEntryBytesMax)
/** Separates cases that fail for their form from those that get past it. */
const unreadable = small.filter(({ code }) => code?.startsWith('invalid_'))
const readable = small.filter(({ code }) => !code?.startsWith('invalid_'))
const large = nastyJson.filter(({ bytes }) => bytes.length > smallEntryBytesMax)

/** The JSON text of something, right or wrong. */
interface Piece {
  readonly bytes: Buffer
  readonly mustRefuse: boolean
}

const jsonOf = (value: unknown): Piece => ({
  bytes: Buffer.from(JSON.stringify(value) ?? 'undefined'),
  mustRefuse: false,
})

const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
)

const encoded = (text: string) =>
  encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8')).replaceAll('%20', '+')

/** As a path segment or a value in a query. */
const hostileSegment = fc.oneof(hostileText.map(encoded), fc.constantFrom(...hostileEncodings))

const entry = (entries: typeof nastyJson) =>
  fc.constantFrom(...entries).map(({ bytes, code }) => ({ bytes, mustRefuse: code !== undefined }))

const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 15, arbitrary: entry(unreadable) },
  { weight: 60, arbitrary: entry(readable) },
  { weight: 3, arbitrary: entry(large) },
  { weight: 20, arbitrary: hostileText.map(jsonOf) },
  { weight: 15, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }).map(jsonOf) },
  { weight: 15, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(jsonOf) },
  { weight: 5, arbitrary: fc.maxSafeInteger().map(jsonOf) },
  { weight: 10, arbitrary: fc.boolean().map(jsonOf) },
  { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 4 }).map(jsonOf) },
)

/** Damages bytes: a changed, inserted, missing or cut one. */
interface Damage {
  readonly how: 'change' | 'insert' | 'drop' | 'cut'
  /** Holds the position, as a fraction of the length. */
  readonly at: number
  readonly byte: number
}

/** One case in nine. */
const damage = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constantFrom('change' as const, 'insert' as const, 'drop' as const, 'cut' as const),
      at: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      byte: fc.integer({ min: 0, max: 255 }),
    }),
  },
)

function damaged(bytes: Buffer, { how, at, byte }: Damage): Buffer {
  const place = Math.floor(bytes.length * at)
  const head = bytes.subarray(0, place)
  if (how === 'cut') return head
  const middle = how === 'drop' ? Buffer.alloc(0) : Buffer.of(byte)
  return Buffer.concat([head, middle, bytes.subarray(how === 'insert' ? place : place + 1)])
}

/** An object out of raw members: JSON texts that need not be right. */
function objectOf(members: readonly (readonly [name: Buffer, piece: Piece])[]): Piece {
  const parts = members.flatMap(([name, { bytes }], i) => [
    Buffer.from(i === 0 ? '{' : ','),
    name,
    Buffer.from(':'),
    bytes,
  ])
  const names = members.map(([name]) => name.toString('latin1'))
  return {
    bytes: Buffer.concat([...(parts.length === 0 ? [Buffer.from('{')] : parts), Buffer.from('}')]),
    mustRefuse:
      new Set(names).size < names.length || members.some(([, { mustRefuse }]) => mustRefuse),
  }
}

const nameOf = (name: string) => Buffer.from(JSON.stringify(name))
const members = (entries: readonly (readonly [string, Piece])[]) =>
  objectOf(entries.map(([name, value]) => [nameOf(name), value]))

/** Puts a body together where the places are known, and sends it damaged in some cases. */
const sent = (
  how: Pick<BadAsk, 'kind' | 'method'> & {
    readonly path: string
    readonly damage?: Damage | undefined
  },
  { orgId }: CaseTargets,
  body: Piece,
): BadAsk => ({
  kind: how.kind,
  method: how.method,
  path: `/organizations/${orgId}${how.path}`,
  headers: { 'content-type': 'application/json' },
  bytes: how.damage === undefined ? body.bytes : damaged(body.bytes, how.damage),
  mustRefuse: how.damage === undefined && body.mustRefuse,
})

const keyName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(valueKeys)) },
  { weight: 1, arbitrary: hostileText },
)

/** A value that the key takes as far as its type goes, so that much is accepted and has to come back. */
const fitting: fc.Arbitrary<readonly [string, Piece]> = fc.oneof(
  fc.tuple(
    fc.constantFrom('text', 'note', 'word'),
    fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 300 })).map(jsonOf),
  ),
  fc.tuple(
    fc.constantFrom('amount', 'price'),
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()).map(jsonOf),
  ),
  fc.tuple(fc.constantFrom('on', 'hidden'), fc.boolean().map(jsonOf)),
)

const values: fc.Arbitrary<BadCase> = fc
  .record({
    pairs: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fitting },
        { weight: 1, arbitrary: fc.tuple(keyName, piece) },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    damage,
  })
  .map(({ pairs, damage }) => (places) => {
    const body = members([
      ['schemaId', jsonOf(places.valuesId)],
      ['environmentId', jsonOf(places.environmentId)],
      ['values', members(pairs)],
    ])
    return sent({ kind: 'values', method: 'PUT', path: '/config-values', damage }, places, body)
  })

type Members = readonly (readonly [string, Piece])[]

const promotedKeys: fc.Arbitrary<Members> = fc
  .array(fc.oneof({ weight: 6, arbitrary: keyName.map(jsonOf) }, { weight: 1, arbitrary: piece }), {
    maxLength: 3,
  })
  .map((keys) => {
    const list = keys.flatMap(({ bytes }, i) => [Buffer.from(i === 0 ? '[' : ','), bytes])
    const bytes = Buffer.concat([
      ...(keys.length === 0 ? [Buffer.from('[')] : list),
      Buffer.from(']'),
    ])
    return [['keys', { bytes, mustRefuse: keys.some(({ mustRefuse }) => mustRefuse) }]]
  })

const included: fc.Arbitrary<Members> = fc
  .oneof(
    { weight: 3, arbitrary: fc.subarray([...promotionExceptions]).map(jsonOf) },
    { weight: 1, arbitrary: piece },
  )
  .map((include) => [['include', include]])

const promote: fc.Arbitrary<BadCase> = fc
  .record({
    choice: fc.oneof(
      { weight: 4, arbitrary: promotedKeys },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: included },
      { weight: 1, arbitrary: fc.tuple(promotedKeys, included).map((both) => both.flat()) },
    ),
    target: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, piece),
    damage,
  })
  .map(({ choice, target, damage }) => (places) => {
    const body = members([
      ['schemaId', jsonOf(places.valuesId)],
      ['fromEnvironmentId', jsonOf(places.environmentId)],
      ['toEnvironmentId', target ?? jsonOf(places.otherEnvironmentId)],
      ...choice,
    ])
    const path = '/config-values/promote'
    return sent({ kind: 'promote', method: 'POST', path, damage }, places, body)
  })

const typeName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('string', 'number', 'boolean', 'json') },
  { weight: 1, arbitrary: fc.constantFrom('integer', 'STRING', '', 'constructor') },
)

const definition: fc.Arbitrary<Piece> = fc
  .record({
    type: fc.oneof({ weight: 6, arbitrary: typeName.map(jsonOf) }, { weight: 1, arbitrary: piece }),
    rest: fc.array(
      fc.tuple(
        fc.constantFrom('default', 'description', 'constraints', 'tier', 'required', 'defualt'),
        fc.oneof(
          piece,
          fc.constantFrom('public', 'secret', 'featureFlags', true, false).map(jsonOf),
          fc
            .constantFrom(
              { minLength: 1 },
              { pattern: '^a+$' },
              { pattern: '(a+)+(?=b)' },
              { enum: ['a', 'b'] },
              { minimum: 1e308 },
              { maxLength: -1 },
              { format: 'uri' },
              { enum: [] },
              { const: 1 },
            )
            .map(jsonOf),
        ),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ type, rest }) => members([['type', type], ...rest]))

const schema = fc
  .array(
    fc.tuple(
      fc.oneof(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,20}$/), hostileText),
      definition,
    ),
    { maxLength: 3 },
  )
  .map(members)

const resourceName = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/).map(jsonOf) },
  { weight: 2, arbitrary: hostileText.map(jsonOf) },
  { weight: 1, arbitrary: piece },
)

const description = fc.oneof(
  { weight: 4, arbitrary: hostileText.map(jsonOf) },
  { weight: 1, arbitrary: piece },
)

const createSchema: fc.Arbitrary<BadCase> = fc
  .record({
    name: resourceName,
    description,
    schema: fc.oneof({ weight: 5, arbitrary: schema }, piece),
    damage,
  })
  .map(
    ({ damage, ...fields }) =>
      (places) =>
        sent(
          { kind: 'createSchema', method: 'POST', path: '/config-schemas', damage },
          places,
          members(Object.entries(fields)),
        ),
  )

const replaceSchema: fc.Arbitrary<BadCase> = fc
  .record({ description, schema: fc.oneof({ weight: 5, arbitrary: schema }, piece), damage })
  .map(
    ({ damage, ...fields }) =>
      (places) =>
        sent(
          {
            kind: 'replaceSchema',
            method: 'PUT',
            path: `/config-schemas/${places.shapeId}`,
            damage,
          },
          places,
          members(Object.entries(fields)),
        ),
  )

/** Null, which says the same as leaving the field out, in most cases. */
const rarely = (piece: fc.Arbitrary<Piece>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(jsonOf(null)) }, { weight: 1, arbitrary: piece })

const environment: fc.Arbitrary<BadCase> = fc
  .record({
    fields: fc.record(
      {
        name: resourceName,
        description,
        production: fc.oneof({ weight: 6, arbitrary: fc.boolean().map(jsonOf) }, piece),
        parentId: rarely(piece),
      },
      { requiredKeys: ['name'] },
    ),
    damage,
  })
  .map(
    ({ damage, fields }) =>
      (places) =>
        sent(
          { kind: 'environment', method: 'POST', path: '/environments', damage },
          places,
          members(Object.entries(fields)),
        ),
  )

const apiKey: fc.Arbitrary<BadCase> = fc
  .record({
    fields: fc.record(
      {
        name: fc.oneof({ weight: 4, arbitrary: hostileText.map(jsonOf) }, piece),
        kind: fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom('b2m', 'm2m').map(jsonOf) },
          { weight: 1, arbitrary: piece },
        ),
        environmentIds: rarely(piece),
        schemaIds: rarely(piece),
        expiresAt: fc.oneof(
          {
            weight: 6,
            arbitrary: fc
              .constantFrom('2999-01-01T00:00:00Z', '2999-12-31T23:59:59.999+14:00', null)
              .map(jsonOf),
          },
          fc.constantFrom('2999-13-01T00:00:00Z', '+275760-09-13T00:00:00Z').map(jsonOf),
          piece,
        ),
        allowedOrigins: rarely(piece),
        allowedNetworks: rarely(piece),
      },
      { requiredKeys: ['name', 'kind'] },
    ),
    damage,
  })
  .map(
    ({ damage, fields }) =>
      (places) =>
        sent(
          { kind: 'apiKey', method: 'POST', path: '/api-keys', damage },
          places,
          members(Object.entries(fields)),
        ),
  )

/** Lists the endpoints that take arbitrary bodies. */
const doors = [
  ['PUT', '/config-values'],
  ['POST', '/config-values/promote'],
  ['POST', '/config-schemas'],
  ['PUT', '/config-schemas/shape'],
  ['POST', '/environments'],
  ['PATCH', '/environments/other'],
  ['POST', '/api-keys'],
] as const

const body: fc.Arbitrary<BadCase> = fc
  .record({
    door: fc.constantFrom(...doors),
    whole: fc.oneof(
      { weight: 3, arbitrary: piece },
      {
        weight: 1,
        arbitrary: fc
          .uint8Array({ maxLength: 200 })
          .map((bytes) => ({ bytes: Buffer.from(bytes), mustRefuse: false })),
      },
    ),
  })
  .map(
    ({ door: [method, path], whole }) =>
      (places) =>
        sent({ kind: 'body', method, path }, places, {
          bytes: whole.bytes,
          // No body at all is as good as an empty object where every field may be left out.
          mustRefuse: whole.mustRefuse && whole.bytes.length > 0,
        }),
  )

const query: fc.Arbitrary<BadCase> = fc
  .record({
    door: fc.constantFrom(
      ...(['GET /config-values', 'DELETE /config-values', 'GET /config-versions'] as const),
      ...(['GET /environments', 'GET /config-schemas', 'GET /api-keys'] as const),
      ...(['DELETE /environments/missing', 'PUT /config-values'] as const),
    ),
    placed: fc.boolean(),
    parameters: fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'key',
            'limit',
            'cursor',
            'reveal',
            'force',
            'schemaId',
            'comment',
            'against',
          ),
          hostileSegment,
        ),
        hostileSegment,
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ door, placed, parameters }) => ({ orgId, valuesId, environmentId }) => {
    const [method = 'GET', path = ''] = door.split(' ')
    const target = placed ? [`schemaId=${valuesId}`, `environmentId=${environmentId}`] : []
    const search = [...target, ...parameters.map(([name, value]) => `${name}=${value}`)].join('&')
    return {
      kind: 'query',
      method,
      path: `/organizations/${orgId}${path}?${search}`,
      headers: method === 'PUT' ? { 'content-type': 'application/json' } : {},
      bytes: method === 'PUT' ? Buffer.from('{}') : undefined,
      mustRefuse: false,
    }
  })

const path: fc.Arbitrary<BadCase> = fc
  .record({
    method: fc.constantFrom('GET', 'PUT', 'POST', 'PATCH', 'DELETE'),
    inside: fc.boolean(),
    first: fc.constantFrom(
      'environments',
      'config-schemas',
      'config-versions',
      'config-values',
      'api-keys',
      'config',
    ),
    segments: fc.array(hostileSegment, { minLength: 1, maxLength: 3 }),
  })
  .map(({ method, inside, first, segments }) => ({ orgId }) => {
    const head = inside ? `/organizations/${orgId}/${first}` : '/organizations'
    const hasBody = method !== 'GET' && method !== 'DELETE'
    return {
      kind: 'path',
      method,
      path: `${head}/${segments.join('/')}`,
      headers: hasBody ? { 'content-type': 'application/json' } : {},
      bytes: hasBody ? Buffer.from('{}') : undefined,
      mustRefuse: false,
    }
  })

const hostileHeader = fc.oneof(
  // Node's client sends what latin-1 can say, and no control characters; the kind `wire` sends those.
  // oxlint-disable-next-line no-control-regex -- that is what must go
  hostileText.map((text) => text.replaceAll(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '')),
  fc.constantFrom(...headerValues),
)

const header: fc.Arbitrary<BadCase> = fc
  .record({
    door: fc.constantFrom(
      ['PUT', '/config-values'] as const,
      ['POST', '/config-values/promote'] as const,
    ),
    headers: fc.array(fc.tuple(fc.constantFrom(...headerNames), hostileHeader), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ door: [method, path], headers }) => (places) => {
    const target = jsonOf(places.valuesId)
    const body =
      method === 'PUT'
        ? members([
            ['schemaId', target],
            ['environmentId', jsonOf(places.environmentId)],
            ['values', members([['word', jsonOf(`header ${headers.length}`)]])],
          ])
        : members([
            ['schemaId', target],
            ['fromEnvironmentId', jsonOf(places.environmentId)],
            ['toEnvironmentId', jsonOf(places.otherEnvironmentId)],
            ['dryRun', jsonOf(true)],
          ])
    const ask = sent({ kind: 'header', method, path }, places, body)
    return { ...ask, headers: { ...ask.headers, ...Object.fromEntries(headers) } }
  })

const wire: fc.Arbitrary<BadCase> = fc
  .record({ text: fc.constantFrom(...wires), toDelivery: fc.boolean(), damage })
  .map(({ text, toDelivery, damage }) => ({ orgId, valuesId, environmentId, key }) => {
    const placed = text
      .replaceAll('{org}', orgId)
      .replaceAll('{stream}', `/snapshots/${valuesId}/${environmentId}/stream`)
      .replaceAll('{key}', key)
    const bytes = Buffer.from(placed, 'latin1')
    return {
      kind: 'wire',
      method: '',
      path: '',
      headers: {},
      mustRefuse: false,
      toDelivery,
      bytes: damage === undefined ? bytes : damaged(bytes, damage),
    }
  })

/** Every kind of bad input, and some that is only unusual. */
export const badCase: fc.Arbitrary<BadCase> = fc.oneof(
  { weight: 36, arbitrary: values },
  { weight: 8, arbitrary: promote },
  { weight: 8, arbitrary: createSchema },
  { weight: 8, arbitrary: replaceSchema },
  { weight: 7, arbitrary: environment },
  { weight: 7, arbitrary: apiKey },
  { weight: 8, arbitrary: body },
  { weight: 6, arbitrary: query },
  { weight: 5, arbitrary: path },
  { weight: 5, arbitrary: header },
  { weight: 4, arbitrary: wire },
)
