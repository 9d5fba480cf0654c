import { parse } from 'yaml'
import { z } from 'zod'

/** Describes a call that was made, and what was answered. */
export interface ObservedCall {
  readonly method: string
  /** Begins with `/api/v4`. */
  readonly url: URL
  readonly body: Readonly<Record<string, unknown>>
  readonly status: number
  readonly answer: unknown
}

/** Holds what a document has against a call: one sentence each. */
export interface Judgement {
  readonly objections: readonly string[]
  /** True: the document says what the answer consists of. */
  readonly isAnswerKnown: boolean
}

interface Schema {
  readonly $ref?: string | undefined
  readonly type?: string | undefined
  readonly items?: Schema | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly allOf?: readonly Schema[] | undefined
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.string().optional().catch(undefined),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional().catch(undefined),
    required: z.array(z.string()).optional().catch(undefined),
    allOf: z.array(schema).optional(),
  }),
)
const content = z.record(z.string(), z.object({ schema: schema.optional() })).optional()
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().catch(false),
  // Of a body, in Swagger 2.
  schema: schema.optional().catch(undefined),
})
type Parameter = z.output<typeof parameter>
const operation = z.object({
  parameters: z.array(parameter).catch([]),
  requestBody: z.object({ content }).optional(),
  responses: z
    .record(z.string(), z.object({ schema: schema.optional(), content }))
    .optional()
    .catch(undefined),
})
type Operation = z.output<typeof operation>
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  definitions: z.record(z.string(), schema).optional(),
  components: z.object({ schemas: z.record(z.string(), schema).optional() }).optional(),
})

/** Lists the parameters of every list, which the document leaves out of some. */
const ofPages = ['page', 'per_page']

/**
 * Opens GitLab's OpenAPI document, as Swagger 2 or as OpenAPI 3, to judge calls by it.
 *
 * @see https://docs.gitlab.com/api/openapi/
 */
export function openDocument(text: string): (call: ObservedCall) => Judgement {
  const { paths, definitions, components } = document.parse(
    parse(text, { logLevel: 'error', maxAliasCount: -1 }),
  )
  const resolve = createResolver({ ...definitions, ...components?.schemas })
  return (call) => {
    const found = findOperation(paths, call)
    const name = `${call.method} ${call.url.pathname}`
    if (found === undefined) {
      return { objections: [`${name} is not in the document`], isAnswerKnown: false }
    }
    const answer = answerOf(found.operation, call.status)
    const prefix = `${call.method} ${found.path}`
    const objections = [
      ...judgeQuery(found.operation.parameters, call.url.searchParams),
      ...judgeBody(found.operation, call.body, resolve),
      ...(answer === undefined ? [] : judgeValue(call.answer, answer, resolve, 'answer')),
    ]
    return {
      objections: [...new Set(objections)].map((objection) => `${prefix}: ${objection}`),
      isAnswerKnown: answer !== undefined,
    }
  }
}

type Resolve = (schema: Schema) => Schema

/** Creates what follows references, and puts together what a schema consists of. */
function createResolver(schemas: Readonly<Record<string, Schema>>): Resolve {
  const resolve: Resolve = (given) => {
    const { $ref, allOf } = given
    if ($ref !== undefined) return resolve(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    if (allOf === undefined) return given
    const parts = allOf.map(resolve)
    return {
      ...given,
      properties: Object.assign({}, ...parts.map((part) => part.properties), given.properties),
      required: parts.flatMap((part) => part.required ?? []),
    }
  }
  return resolve
}

/** Finds the operation of a call. Of several paths that match, the one with most words of its own. */
function findOperation(
  paths: z.output<typeof document>['paths'],
  { method, url }: ObservedCall,
): { readonly path: string; readonly operation: Operation } | undefined {
  const parts = url.pathname.split('/')
  const wordsOf = (path: string) => path.split('/').filter((part) => !part.startsWith('{')).length
  const [path] = Object.keys(paths)
    .filter((each) => paths[each]?.[method.toLowerCase()] !== undefined)
    .filter((each) => {
      const named = each.split('/')
      return (
        named.length === parts.length &&
        named.every((part, at) => part.startsWith('{') || part === parts[at])
      )
    })
    .toSorted((one, other) => wordsOf(other) - wordsOf(one))
  if (path === undefined) return undefined
  const ofPath = operation.parse({ parameters: paths[path]?.['parameters'] ?? [] })
  const own = operation.parse(paths[path]?.[method.toLowerCase()])
  return { path, operation: { ...own, parameters: [...ofPath.parameters, ...own.parameters] } }
}

/** Lists are written with brackets in addresses, and without in some documents. */
const bare = (name: string) => name.replace(/\[\]$/, '')

function judgeQuery(parameters: readonly Parameter[], sent: URLSearchParams): string[] {
  const known = parameters.filter((each) => each.in === 'query')
  const names = new Set([...known.map(({ name }) => bare(name)), ...ofPages])
  return [
    ...[...sent.keys()]
      .filter((name) => !names.has(bare(name)))
      .map((name) => `the parameter ${name} is not in the document`),
    ...known
      .filter(({ name, required }) => required && !sent.has(name) && !sent.has(`${name}[]`))
      .map(({ name }) => `the parameter ${name} is missing`),
  ]
}

function judgeBody(
  { parameters, requestBody }: Operation,
  body: ObservedCall['body'],
  resolve: Resolve,
): string[] {
  const fields = parameters.filter((each) => each.in === 'formData')
  const whole =
    parameters.find((each) => each.in === 'body')?.schema ??
    Object.values(requestBody?.content ?? {})[0]?.schema
  const { properties = {}, required = [] } = resolve(whole ?? {})
  const names = new Set([...fields.map(({ name }) => bare(name)), ...Object.keys(properties)])
  const wanted = [...required, ...fields.filter((each) => each.required).map(({ name }) => name)]
  return [
    ...Object.keys(body)
      .filter((name) => !names.has(name))
      .map((name) => `the field ${name} is not in the document`),
    ...wanted
      .filter((name) => body[bare(name)] === undefined)
      .map((name) => `the field ${name} is missing`),
  ]
}

/** Returns the form of an answer: that of its status, or of another success. */
function answerOf({ responses = {} }: Operation, status: number): Schema | undefined {
  if (status >= 300) return undefined
  const success = Object.keys(responses).find((each) => each.startsWith('2'))
  const named = responses[String(status)] ?? responses[success ?? '']
  return named?.schema ?? Object.values(named?.content ?? {})[0]?.schema
}

const typesOf: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object',
}

/** The document calls everything a string of which nobody has said what it is, and leaves the brackets of many lists out. */
function judgeValue(value: unknown, of: Schema, resolve: Resolve, path: string): string[] {
  if (value === null || value === undefined) return []
  const { type, items, properties } = resolve(of)
  if (Array.isArray(value)) {
    return value.flatMap((item) => judgeValue(item, items ?? of, resolve, `${path}[]`))
  }
  const isRight = typesOf[type ?? '']?.(value) ?? true
  if (!isRight) return [`${path} is a ${typeof value}, and ${type ?? ''} in the document`]
  if (properties === undefined || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, part]) => {
    const known = properties[name]
    return known === undefined
      ? [`${path}.${name} is not in the document`]
      : judgeValue(part, known, resolve, `${path}.${name}`)
  })
}
