import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isPart, type Part } from '../json-schema/part.ts'
import { memberOf } from '../standard-schema.ts'
import { readSides, type Sides } from '../json-schema/read-sides.ts'
import type { Resolve } from './extraction.ts'

/** Holds what a converter has written. */
export interface Written extends Sides {
  readonly unwritten?: readonly string[]
}

/** Writes a validator as JSON Schema, or nothing where that is not possible. */
type Write = (schema: StandardSchemaV1) => Written | undefined

/** Finds the converter in the user's copy of a library. Rejects when it is not there. */
type Converter = (resolve: Resolve) => Promise<Write>

type Exported = (...args: readonly unknown[]) => unknown

function exportOf(module: unknown, name: string): Exported {
  const exported = memberOf(module, name) ?? memberOf(memberOf(module, 'default'), name)
  if (typeof exported !== 'function') throw new TypeError(`There is no ${name}`)
  return (...args) => Reflect.apply(exported, undefined, args)
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
const zod: Converter = async (resolve) => {
  const toJsonSchema = exportOf(await resolve('zod'), 'toJSONSchema')
  return (schema) => ({
    output: attempt(() => toJsonSchema(schema, { io: 'output' })),
    input: attempt(() => toJsonSchema(schema, { io: 'input' })),
  })
}

/** Lists actions of valibot that it calls transformations and that only change types. They hide no rule. */
const typeActions = new Set<unknown>(['brand', 'flavor', 'readonly'])

/** Lists transformations of valibot that leave their own results unchanged, and a check that it calls one. */
const harmlessTransformations = new Set<unknown>([
  'guard',
  'normalize',
  'to_lower_case',
  'to_max_value',
  'to_min_value',
  'to_upper_case',
  'trim',
  'trim_end',
  'trim_start',
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
const valibot: Converter = async (resolve) => {
  const toJsonSchema = exportOf(await resolve('@valibot/to-json-schema'), 'toJsonSchema')
  return (schema) => {
    const unwritten: string[] = []
    let changes = false
    const overrideAction = ({ jsonSchema, valibotAction, errors }: ValibotAction) => {
      const type = memberOf(valibotAction, 'type')
      if (looseFormats.has(type))
        return withPattern(jsonSchema, memberOf(valibotAction, 'requirement'))
      if (!errors) return undefined
      if (typeActions.has(type)) return jsonSchema
      unwritten.push(String(type))
      const transforms = memberOf(valibotAction, 'kind') === 'transformation'
      if (transforms && !harmlessTransformations.has(type)) changes = true
      // Without its flags a pattern means something else.
      const { pattern, ...others } = jsonSchema
      const source = memberOf(memberOf(valibotAction, 'requirement'), 'source')
      return pattern === source ? others : jsonSchema
    }
    const write = (typeMode: string) =>
      attempt(() => toJsonSchema(schema, { target: 'draft-2020-12', typeMode, overrideAction }))
    const input = write('input')
    unwritten.length = 0
    const output = write('output')
    return { input, output: changes ? undefined : output, unwritten }
  }
}

/** A validator made by `toStandardSchemaV1` is still the effect schema, which also implements the other trait. */
const effect: Converter = async (resolve) => {
  const module = await resolve('effect')
  const version3 = memberOf(module, 'JSONSchema')
  if (version3 !== undefined) {
    const make = exportOf(version3, 'make')
    return (schema) => ({ output: attempt(() => make(schema)) })
  }
  const describe = exportOf(memberOf(module, 'Schema'), 'toStandardJSONSchemaV1')
  return (schema) => {
    const sides = memberOf(describe(schema), '~standard')
    return isPart(sides)
      ? readSides({ '~standard': { ...schema['~standard'], ...sides } })
      : undefined
  }
}

const sury: Converter = async (resolve) => {
  exportOf(await resolve('sury'), 'enableStandardJSONSchema')()
  return readSides
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
