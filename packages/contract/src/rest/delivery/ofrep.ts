import { z } from 'zod/v4'
import { org, viewerOrAnyKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { configValue } from '../shapes.ts'

const named = z.string().max(200).optional()
const apiKey = z.string().max(200).optional()
const query = z.object({ schema: named, apiKey })
/** Holds the flags alone, for clients that refuse members that they do not know. */
const only = z.enum(['flags']).optional()
const context = z.record(z.string(), z.unknown())
const evaluation = z.strictObject({ context: context.optional() })

const common = {
  tag: 'OFREP',
  listener: 'delivery',
  rateClass: 'delivery',
  method: 'POST',
  readsWithBody: true,
  // Applications read it. The stream of their snapshot announces its changes.
  topics: [],
  access: viewerOrAnyKey,
  query,
  body: evaluation,
  problems: ['schema_required', 'key_in_url', 'key_scope_forbidden', 'origin_forbidden'],
} as const

/** OFREP makes it optional, and published clients fail without it. */
const metadata = z.object({
  /** The schema and the environment, such as `web/production`. */
  flagSetId: z.string(),
  /** The configuration version in which this key last changed, as a text. */
  version: z.string(),
})

const evaluated = z
  .object({
    key: z.string(),
    /** The value of a flag, or of a targeted key. */
    value: configValue,
    reason: z.enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED']),
    /** The variant that the flag declares. Of a flag without variants `on` or `off`; of a targeted key its value in short. */
    variant: z.string(),
    metadata,
  })
  .meta({ id: 'OfrepEvaluation' })

const failed = z
  .object({
    key: z.string(),
    errorCode: z.string(),
    errorDetails: z.string().optional(),
    metadata,
  })
  .meta({ id: 'OfrepFailure' })

const bulk = z
  .object({
    flags: z.array(z.union([evaluated, failed])),
    /** The version of the whole set. Absent with `?only=flags`. */
    metadata: z.object({ version: z.number().int() }).optional(),
    /** Lists the streams of changes for a browser. Only for a browser key, which may be part of a URL. */
    eventStreams: z
      .array(z.object({ type: z.literal('sse'), endpoint: z.object({ requestUri: z.string() }) }))
      .optional(),
  })
  .meta({ id: 'OfrepBulkEvaluation' })

const ofKey = 'Reads the environment to which the key is restricted, or `?environment=`.'

const rejections =
  'Errors have the form of OFREP, `{ "errorCode": …, "errorDetails": … }`. Send the key as `Authorization: Bearer` or `X-API-Key`.'

const flags = 'ofrep/v1/evaluate/flags'
const below = `${org}/environments/{environment_id}/${flags}` as const
const belowSchema = `${org}/environments/{environment_id}/schemas/{schema_id}/${flags}` as const

/** Declares the endpoints of the OpenFeature Remote Evaluation Protocol. */
export const ofrepEndpoints = declareEndpoints(common)({
  evaluateFlagsByOfrep: {
    path: '/ofrep/v1/evaluate/flags',
    query: query.extend({ environment: named, only }),
    summary: 'Evaluate every flag for one context. Answers 304 to a matching `If-None-Match`.',
    description: `${ofKey} ${rejections}`,
    response: { status: 200, body: bulk },
  },
  evaluateFlagByOfrep: {
    path: '/ofrep/v1/evaluate/flags/{key}',
    query: query.extend({ environment: named }),
    summary: 'Evaluate one flag for one context.',
    description: `${ofKey} ${rejections}`,
    response: { status: 200, body: evaluated },
  },
  evaluateEnvironmentFlagsByOfrep: {
    path: below,
    query: query.extend({ only }),
    summary: 'Evaluate every flag of an environment, by id or name, for one context.',
    description: rejections,
    response: { status: 200, body: bulk },
  },
  evaluateEnvironmentFlagByOfrep: {
    path: `${below}/{key}`,
    summary: 'Evaluate one flag of an environment, by id or name, for one context.',
    description: rejections,
    response: { status: 200, body: evaluated },
  },
  evaluateSchemaFlagsByOfrep: {
    path: belowSchema,
    query: z.object({ apiKey, only }),
    summary: 'Evaluate every flag of a schema in an environment, by ids or names, for one context.',
    description: rejections,
    response: { status: 200, body: bulk },
  },
  evaluateSchemaFlagByOfrep: {
    path: `${belowSchema}/{key}`,
    query: z.object({ apiKey }),
    summary: 'Evaluate one flag of a schema in an environment, by ids or names, for one context.',
    description: rejections,
    response: { status: 200, body: evaluated },
  },
})
