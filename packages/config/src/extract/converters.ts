import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isPart, type Part } from '../json-schema/part.ts'
import { memberOf } from '../standard-schema.ts'
import { readSides, type Sides } from '../json-schema/read-sides.ts'
import type { Resolve } from './extraction.ts'

interface Written extends Sides {
  readonly unwritten?: readonly string[]
}

/** Converts with the user's copy of a library. Rejects or returns nothing when that is not possible. */
type Converter = (schema: StandardSchemaV1, resolve: Resolve) => Promise<Written | undefined>

function call(module: unknown, name: string, ...args: readonly unknown[]): unknown {
  const exported = memberOf(module, name) ?? memberOf(memberOf(module, 'default'), name)
  if (typeof exported !== 'function') throw new TypeError(`There is no ${name}`)
  return Reflect.apply(exported, undefined, args)
}

function attempt(write: () => unknown): Part | undefined {
  try {
    const written = write()
    return isPart(written) ? written : undefined
  } catch {
    return undefined
  }
}

/** `zod/mini` leaves its converter out of the schemas. */
const zod: Converter = async (schema, resolve) => {
  const module = await resolve('zod')
  return {
    output: attempt(() => call(module, 'toJSONSchema', schema, { io: 'output' })),
    input: attempt(() => call(module, 'toJSONSchema', schema, { io: 'input' })),
  }
}

/** Lists transformations that leave their own results unchanged. */
const harmlessTransformations = new Set<unknown>([
  'trim',
  'trimStart',
  'trimEnd',
  'toLowerCase',
  'toUpperCase',
  'normalize',
])

/** Lists actions of valibot that accept more than the format by which its converter describes them. */
const looseFormats = new Set<unknown>(['iso_date', 'iso_date_time', 'iso_time'])

/** Describes an action by its own pattern, and no longer by a format. */
function withPattern({ format: _format, ...others }: Part, requirement: unknown): Part {
  return requirement instanceof RegExp ? { ...others, pattern: requirement.source } : others
}

interface ValibotAction {
  readonly jsonSchema: Part
  readonly valibotAction: unknown
  readonly errors?: readonly string[]
}

/** Notes and skips each action that cannot be written, which would otherwise stop the whole conversion. */
const valibot: Converter = async (schema, resolve) => {
  const module = await resolve('@valibot/to-json-schema')
  const unwritten: string[] = []
  let changes = false
  const overrideAction = ({ jsonSchema, valibotAction, errors }: ValibotAction) => {
    const type = memberOf(valibotAction, 'type')
    if (looseFormats.has(type))
      return withPattern(jsonSchema, memberOf(valibotAction, 'requirement'))
    if (!errors) return undefined
    unwritten.push(String(type))
    if (
      memberOf(valibotAction, 'kind') === 'transformation' &&
      !harmlessTransformations.has(type)
    ) {
      changes = true
    }
    // Without its flags a pattern means something else.
    const { pattern, ...others } = jsonSchema
    const source = memberOf(memberOf(valibotAction, 'requirement'), 'source')
    return pattern === source ? others : jsonSchema
  }
  const write = (typeMode: string) =>
    attempt(() =>
      call(module, 'toJsonSchema', schema, { target: 'draft-2020-12', typeMode, overrideAction }),
    )
  const input = write('input')
  unwritten.length = 0
  const output = write('output')
  return { input, output: changes ? undefined : output, unwritten }
}

/** A validator made by `toStandardSchemaV1` is still the effect schema, which also implements the other trait. */
const effect: Converter = async (schema, resolve) => {
  const module = await resolve('effect')
  const version3 = memberOf(module, 'JSONSchema')
  if (version3 !== undefined) return { output: attempt(() => call(version3, 'make', schema)) }
  const described = call(memberOf(module, 'Schema'), 'toStandardJSONSchemaV1', schema)
  const sides = memberOf(described, '~standard')
  return isPart(sides)
    ? readSides({ '~standard': { ...schema['~standard'], ...sides } })
    : undefined
}

const sury: Converter = async (schema, resolve) => {
  call(await resolve('sury'), 'enableStandardJSONSchema')
  return readSides(schema)
}

/** Maps a vendor, as its validators name it, to its converter. Libraries that write JSON Schema themselves need none. */
export const converters: ReadonlyMap<string, Converter> = new Map([
  ['zod', zod],
  ['valibot', valibot],
  ['effect', effect],
  ['sury', sury],
])

/** Maps a vendor to the command that makes the type of its validators readable. */
export const converterAdvice: ReadonlyMap<string, string> = new Map([
  ['zod', 'npm install zod@^4'],
  ['valibot', 'npm install --save-dev @valibot/to-json-schema'],
  ['effect', 'npm install effect, where the definition can import it'],
  ['sury', 'npm install sury, where the definition can import it'],
])
