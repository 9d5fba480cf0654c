import type { EndpointShape } from '@signalbox/contract/rest'
import { z } from 'zod/v4'

interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** Lists every endpoint, and the path of every field that it answers or takes. Example: `GET /me answers user.name`. */
export function listFields(endpoints: Readonly<Record<string, EndpointShape>>): Set<string> {
  const listed = new Set<string>()
  for (const { method, path, query, body, response } of Object.values(endpoints)) {
    const name = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
    listed.add(name)
    for (const [verb, schema, io] of [
      ['answers', response.body, 'output'],
      ['takes', body, 'input'],
      ['takes', query, 'input'],
    ] as const) {
      if (schema === undefined) continue
      const root = z.toJSONSchema(schema, { unrepresentable: 'any', io }) as JsonSchema
      for (const field of fieldsOf(root, root.$defs ?? {})) listed.add(`${name} ${verb} ${field}`)
    }
  }
  return listed
}

/** Returns what may stand where the schema stands, and what its lists and records hold. */
function partsOf({ anyOf, oneOf, allOf, prefixItems, items, additionalProperties }: JsonSchema) {
  const same = [anyOf, oneOf, allOf].flatMap((each) => each ?? [])
  const held = [items, additionalProperties, ...(prefixItems ?? [])]
  return { same, held: held.filter((each) => typeof each === 'object') }
}

function* fieldsOf(
  schema: JsonSchema,
  shared: Readonly<Record<string, JsonSchema>>,
  [at, within]: readonly [at: string, within: readonly string[]] = ['', []],
): Generator<string> {
  const key = schema.$ref?.split('/').at(-1) ?? ''
  const referred = shared[key]
  if (referred !== undefined && !within.includes(key))
    yield* fieldsOf(referred, shared, [at, [...within, key]])
  const { same, held } = partsOf(schema)
  for (const each of same) yield* fieldsOf(each, shared, [at, within])
  for (const each of held) yield* fieldsOf(each, shared, [`${at}[]`, within])
  for (const [field, each] of Object.entries(schema.properties ?? {})) {
    const path = at === '' ? field : `${at}.${field}`
    yield path
    yield* fieldsOf(each, shared, [path, within])
  }
}

/** Lists what an older release had and this one lacks, unless the text names it: the endpoint's path, or the field in backticks. */
export function findLost(
  older: ReadonlySet<string>,
  latest: ReadonlySet<string>,
  changes: string,
): string[] {
  const isNamed = (lost: string) => {
    const [, path = '', , field] = lost.split(' ')
    const last = field?.split('.').at(-1)?.replaceAll('[]', '')
    return changes.includes(last === undefined ? path : `\`${last}\``)
  }
  return [...older].filter((each) => !latest.has(each) && !isNamed(each))
}
