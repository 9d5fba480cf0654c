import { z } from 'zod/v4'
import { tiers, valueSources } from '../../config.ts'
import { open, org, viewerOrAnyKey, viewerOrKey } from '../access.ts'
import { targeting, writtenRules } from '../configs/flag-rules.ts'
import { declareEndpoints } from '../endpoint.ts'
import { configValue, id } from '../shapes.ts'

/** Describes a snapshot as its key reads it. */
export const snapshot = z
  .object({
    format: z.literal(1),
    schemaId: id('sch'),
    schema: z.string(),
    environmentId: id('env'),
    environment: z.string(),
    version: z.number().int(),
    public: z.record(z.string(), configValue),
    featureFlags: z.record(z.string(), z.boolean()),
    /** Maps keys to their variables, where the definition names them. */
    variables: z.record(z.string(), z.string()).optional(),
    /** Only for a server key. */
    secret: z.record(z.string(), configValue).optional(),
    /** Only for a server key, and only where some flag has rules. */
    flagRules: z.record(z.string(), writtenRules).optional(),
    /** Only for a server key: targeted keys with rules, and flags with variants. */
    targeting: z.record(z.string(), targeting).optional(),
  })
  .meta({ id: 'Snapshot' })

const flagdFlag = z
  .object({
    state: z.literal('ENABLED'),
    /** A flag without variants has `on` and `off`. */
    variants: z
      .object({ on: z.literal(true).optional(), off: z.literal(false).optional() })
      .catchall(configValue),
    defaultVariant: z.string(),
    /** The rules as JSONLogic with the operators of flagd. */
    targeting: z.record(z.string(), z.unknown()).optional(),
    /** `version` is the configuration version in which the flag last changed. `differs` says in which case flagd decides otherwise. */
    metadata: z.object({
      flagSetId: z.string(),
      version: z.string(),
      differs: z.string().optional(),
    }),
  })
  .meta({ id: 'FlagdFlag' })

const flagdDefinition = z
  .object({
    $schema: z.string(),
    flags: z.record(z.string(), flagdFlag),
    /** `leftOut` names the flags that flagd cannot evaluate as Signalbox does, with the reason. */
    metadata: z.object({ flagSetId: z.string(), leftOut: z.string().optional() }),
  })
  .meta({ id: 'FlagdDefinition' })

const common = {
  tag: 'Delivery',
  listener: 'delivery',
  rateClass: 'delivery',
  // Applications read it. The stream of their snapshot announces its changes.
  topics: [],
} as const

const publicKey = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    /** The public key, as clients are given it. */
    x: z.string(),
    kid: z.string(),
    use: z.literal('sig'),
    alg: z.literal('EdDSA'),
  })
  .meta({ id: 'PublicKey' })

/** A browser key in the URL, because EventSource and preload links send no header. A server key is refused there. */
const apiKey = z.string().max(200).optional()
const target = { environment: z.string().max(200), schema: z.string().max(200).optional(), apiKey }

/** Describes how a value came about. Rules are named to servers and people alone. */
const decision = {
  source: z.enum(valueSources),
  variant: z.string(),
  /** Holds the id of the rule that decides. Absent: none does, or a browser key asks. */
  matchedRuleId: id('rul').optional(),
  /** Holds the bucket of the context, 0 to 99,999, where the rule divides contexts. */
  bucket: z.number().int().optional(),
}

const evaluation = {
  access: viewerOrAnyKey,
  query: z.object({ schema: z.string().max(200).optional() }),
  body: z.strictObject({
    environment: z.string().max(200),
    schema: z.string().max(200).optional(),
    context: z.record(z.string(), z.unknown()).optional(),
  }),
  problems: ['schema_required', 'key_scope_forbidden', 'origin_forbidden'],
} as const

export const snapshotEndpoints = declareEndpoints(common)({
  readValues: {
    method: 'GET',
    path: `${org}/config/values`,
    summary: 'The resolved values of an environment, by names.',
    description:
      'With `names=variables` the answer is one flat object of strings under the names of their environment variables, `{"STRIPE_KEY":"…"}`, as `signalbox pull` names them. `only=secrets` leaves out all but the secrets, for a server key. A secret that bundlers would publish, a variable that could run code, such as NODE_OPTIONS, and a value with a NUL character are left out: the header `Signalbox-Left-Out` names them. Keys that become the same variable are refused.',
    access: viewerOrAnyKey,
    query: z.object({
      ...target,
      names: z.enum(['keys', 'variables']).optional(),
      only: z.enum(['secrets']).optional(),
    }),
    response: {
      status: 200,
      body: z.union([
        z.object({
          values: z.record(z.string(), configValue),
          environment: z.string(),
          schema: z.string(),
          version: z.number().int(),
        }),
        /** Only with `names=variables`. */
        z.record(z.string(), z.string()),
      ]),
    },
    problems: [
      'schema_required',
      'unusable_variable',
      'key_kind_forbidden',
      'key_in_url',
      'key_scope_forbidden',
      'origin_forbidden',
      'sealed',
    ],
  },
  readValue: {
    method: 'GET',
    path: `${org}/config/values/{key}`,
    summary: 'One resolved value.',
    access: viewerOrAnyKey,
    query: z.object(target),
    response: {
      status: 200,
      body: z.object({
        key: z.string(),
        value: configValue,
        tier: z.enum(tiers),
        version: z.number().int(),
      }),
    },
    problems: [
      'schema_required',
      'key_in_url',
      'key_scope_forbidden',
      'origin_forbidden',
      'sealed',
    ],
  },
  readSnapshot: {
    method: 'GET',
    path: '/snapshots/{schema_id}/{environment_id}',
    summary: 'The current snapshot; answers 304 to a matching `If-None-Match`.',
    access: viewerOrAnyKey,
    query: z.object({ apiKey }),
    response: { status: 200, body: snapshot },
    problems: ['key_in_url', 'key_scope_forbidden', 'origin_forbidden', 'sealed'],
  },
  readNamedSnapshot: {
    method: 'GET',
    path: `${org}/config/snapshot`,
    summary: 'The current snapshot, by names. The response has the ids for the stream.',
    access: viewerOrAnyKey,
    query: z.object(target),
    response: { status: 200, body: snapshot },
    problems: [
      'schema_required',
      'key_in_url',
      'key_scope_forbidden',
      'origin_forbidden',
      'sealed',
    ],
  },
  readFlagdDefinition: {
    method: 'GET',
    path: `${org}/config/flagd`,
    summary:
      'The flags and their rules as a definition of flagd; answers 304 to a matching `If-None-Match`.',
    description:
      'flagd and the in-process providers of OpenFeature evaluate it as Signalbox does. Not for browser keys, because rules may name customers.',
    access: viewerOrKey,
    query: z.object({
      environment: z.string().max(200),
      schema: z.string().max(200).optional(),
    }),
    response: { status: 200, body: flagdDefinition },
    problems: ['schema_required', 'key_in_url', 'key_scope_forbidden'],
  },
  readSnapshotVersion: {
    method: 'GET',
    path: '/snapshots/{schema_id}/{environment_id}/{version}',
    summary: 'A snapshot by its version. It never changes.',
    access: viewerOrAnyKey,
    query: z.object({ apiKey }),
    response: { status: 200, body: snapshot },
    problems: ['key_in_url', 'key_scope_forbidden', 'origin_forbidden', 'sealed'],
  },
  listPublicKeys: {
    rateClass: 'none',
    method: 'GET',
    path: '/.well-known/signalbox-keys',
    summary: 'The public keys of the header `Signalbox-Signature`, as a JWK Set.',
    description: 'Two while one key replaces another; every snapshot then has a signature by each.',
    access: open,
    response: { status: 200, body: z.object({ keys: z.array(publicKey) }) },
  },
  streamSnapshot: {
    rateClass: 'stream',
    method: 'GET',
    path: '/snapshots/{schema_id}/{environment_id}/stream',
    summary:
      'Server-sent events: one `config` event per new version, and one immediately if the client is behind.',
    description:
      'With `events=ofrep` the stream has the form of OFREP: `message` events of the type `refetchEvaluation`.',
    access: viewerOrAnyKey,
    query: z.object({ apiKey, events: z.literal('ofrep').optional() }),
    response: { status: 200, contentType: 'text/event-stream' },
    problems: [
      'key_in_url',
      'key_scope_forbidden',
      'origin_forbidden',
      'too_many_streams',
      'draining',
    ],
  },
  evaluateFlag: {
    method: 'POST',
    readsWithBody: true,
    path: `${org}/config/feature-flags/{key}/evaluate`,
    summary: 'The value of a feature flag for a context, and what decides it.',
    ...evaluation,
    response: { status: 200, body: z.object({ value: z.boolean(), ...decision }) },
  },
  evaluateValue: {
    method: 'POST',
    readsWithBody: true,
    path: `${org}/config/values/{key}/evaluate`,
    summary: 'The value of a targeted key for a context, and what decides it.',
    ...evaluation,
    response: { status: 200, body: z.object({ value: configValue, ...decision }) },
  },
  evaluateLimit: {
    method: 'POST',
    readsWithBody: true,
    path: `${org}/config/limits/{key}/evaluate`,
    summary: 'The value of a targeted number for a context, and what decides it.',
    ...evaluation,
    response: { status: 200, body: z.object({ value: z.number(), ...decision }) },
  },
})
