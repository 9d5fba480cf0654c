import { problems, problemTypeBase, type ProblemCode } from '@signalbox/contract'
import {
  acceptedBody,
  asksForPassword,
  isWrite,
  type Access,
  type EndpointShape,
} from '@signalbox/contract/rest'
import { toJsonSchema, type JsonSchema } from './json-schema.ts'

/** Describes the server in the document. */
export interface OpenApiOptions {
  readonly version: string
  readonly publicUrl: string
  /** Holds the address of the delivery's endpoints. */
  readonly configUrl: string
}

/** Describes a parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** Describes the response of one status. */
export interface OpenApiResponse {
  readonly description: string
  readonly content?: Content
}

/** Describes an endpoint as an OpenAPI operation. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly servers?: readonly { readonly url: string; readonly description: string }[]
}

/** Describes the parts of an OpenAPI 3.1 document that we render. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
}

/** Renders `endpoints` as an OpenAPI 3.1 document, from the declarations that the router serves. */
export function renderOpenApi(
  endpoints: readonly EndpointShape[],
  options: OpenApiOptions,
): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = { Problem: problemSchema }
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = renderOperation(endpoint, schemas, options)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version: options.version,
      description:
        'Configuration, environments, deployments and API keys of an organization. Errors are RFC 9457 problems: compare their `code`.',
    },
    servers: [{ url: options.publicUrl }],
    paths,
    components: { schemas, securitySchemes },
  }
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token, an API key, or an access token from POST /oauth/token.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-s',
    description: 'The session of the dashboard. Writes also need X-Requested-By.',
  },
  browserKey: {
    type: 'apiKey',
    in: 'query',
    name: 'apiKey',
    description: 'A browser key (sbx_b2m_), for clients that can’t send headers.',
  },
} as const

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457. `instance` is the request id.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(problems) },
    detail: { type: 'string' },
    instance: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string' },
          code: { type: 'string' },
          detail: { type: 'string' },
          key: { type: 'string' },
        },
      },
    },
  },
}

function renderOperation(
  endpoint: EndpointShape,
  schemas: Record<string, JsonSchema>,
  { publicUrl, configUrl }: OpenApiOptions,
): OpenApiOperation {
  const { operationId, tag, summary, description, access } = endpoint
  const body = acceptedBody(endpoint)
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: renderParameters(endpoint, schemas),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toJsonSchema(body, schemas) } },
      },
    }),
    responses: renderResponses(endpoint, schemas, publicUrl),
    security: securityOf(access, endpoint.listener === 'delivery'),
    ...(endpoint.listener === 'delivery' && {
      servers: [
        { url: configUrl, description: 'Delivery' },
        { url: publicUrl, description: 'API' },
      ],
    }),
  }
}

function renderParameters(
  endpoint: EndpointShape,
  schemas: Record<string, JsonSchema>,
): OpenApiParameter[] {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: {
      type: 'string',
      ...(endpoint.pathValues?.[name] && { enum: [...endpoint.pathValues[name]] }),
    },
  }))
  const query = endpoint.query === undefined ? {} : toJsonSchema(endpoint.query, schemas)
  const parameters: OpenApiParameter[] = [
    ...path,
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query' as const,
      required: query.required?.includes(name) ?? false,
      schema,
    })),
  ]
  const header = (name: string, description: string) =>
    parameters.push({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })
  if (endpoint.method === 'POST' && endpoint.access.kind !== 'open') {
    header(
      'Idempotency-Key',
      'A repeat with the same key within 24 hours gets the first response, without values and secrets.',
    )
  }
  if (endpoint.problems.includes('revision_mismatch')) {
    header(
      'If-Match',
      'The version that you read, such as "12". The server answers 412 if it has changed since.',
    )
  }
  return parameters
}

function renderResponses(
  endpoint: EndpointShape,
  schemas: Record<string, JsonSchema>,
  publicUrl: string,
): Record<string, OpenApiResponse> {
  const { status, body, contentType, also } = endpoint.response
  const rejections = renderRejections(endpoint, publicUrl)
  const responses = {
    ...rejections,
    [status]: renderAnswer('Done.', body && toJsonSchema(body, schemas), contentType),
  }
  if (also === undefined) return responses
  const rejection = rejections[also.status]
  const { description, content } = renderAnswer(also.when, undefined, also.contentType)
  return {
    ...responses,
    [also.status]: {
      description: [description, rejection?.description].join(' ').trim(),
      content: { ...content, ...rejection?.content },
    },
  }
}

/** Renders a response. Without a schema it is text, if it has a content type. */
function renderAnswer(
  description: string,
  schema: JsonSchema | undefined,
  contentType: string | undefined,
): OpenApiResponse {
  if (schema === undefined && contentType === undefined) return { description }
  const content = { [contentType ?? 'application/json']: { schema: schema ?? { type: 'string' } } }
  return { description, content }
}

/**
 * Renders the problem codes of an endpoint by status: its own and those that its declaration implies. Each leads to the page
 * of this server, which has it also without the internet.
 */
function renderRejections(
  endpoint: EndpointShape,
  publicUrl: string,
): Record<string, OpenApiResponse> {
  const { pathname } = new URL(problemTypeBase)
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set([...impliedCodes(endpoint), ...endpoint.problems])) {
    const { status } = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const content = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  }
  const entries = [...byStatus].map(([status, codes]): [string, OpenApiResponse] => {
    const lines = codes.map(
      (code) => `[\`${code}\`](${publicUrl}${pathname}#${code}) ${problems[code].title}.`,
    )
    return [String(status), { description: lines.join(' '), content }]
  })
  return Object.fromEntries(entries)
}

function impliedCodes(endpoint: EndpointShape): ProblemCode[] {
  const { access, body, query, rateClass } = endpoint
  const codes: ProblemCode[] = ['internal']
  if (access.kind !== 'open') {
    codes.push(
      'missing_credentials',
      'invalid_credentials',
      'expired_credentials',
      'revoked_credentials',
      'network_forbidden',
    )
  }
  if (access.kind !== 'open' && access.kind !== 'identified') codes.push('key_kind_forbidden')
  if (access.kind === 'operator') codes.push('role_forbidden')
  if (access.kind === 'organization') {
    codes.push('role_forbidden', 'not_found')
    // An organization requires something of the credentials of its members. Delivery answers 404 to those who do not comply.
    if (endpoint.listener !== 'delivery') {
      codes.push('second_factor_off', 'token_life_forbidden', 'step_up_required')
    }
  }
  codes.push(...impliedByCredential(endpoint))
  if (query !== undefined) codes.push('invalid_query')
  if (body !== undefined) {
    codes.push('invalid_json', 'unsupported_media_type', 'body_too_large')
    codes.push('validation_failed', 'unknown_field')
  }
  if (access.kind === 'open' && takesBody(endpoint)) codes.push('overloaded')
  if (rateClass !== 'none') codes.push('rate_limited')
  return codes
}

function impliedByCredential(endpoint: EndpointShape): ProblemCode[] {
  const { access, opens } = endpoint
  const takesServerKeys = access.kind === 'organization' && access.keys !== 'none'
  return [
    ...(asksForPassword(endpoint) ? (['step_up_required'] as const) : []),
    ...(opens === 'door' ? (['session_required'] as const) : []),
    ...(takesServerKeys && isWrite(endpoint) ? (['key_read_only'] as const) : []),
  ]
}

function takesBody({ body, bodyLimitBytes }: EndpointShape): boolean {
  return body !== undefined || bodyLimitBytes !== undefined
}

function securityOf(access: Access, isDelivery: boolean): OpenApiOperation['security'] {
  if (access.kind === 'open') return []
  const token = { accessToken: [] }
  if (isDelivery) return [token, { browserKey: [] }]
  return [token, { session: [] }]
}
