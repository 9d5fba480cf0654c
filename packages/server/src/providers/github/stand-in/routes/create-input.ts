import type { Answer, SandboxRequest } from '../../../../../../sandbox/src/http/route.ts'
import { refuse } from '../errors.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Describes the fields of a JSON body. A field of the wrong type is left out, and becomes part of the rejection. */
export interface Input {
  /** Returns an empty text, and adds to the rejection, when the field is missing. */
  requiredText(name: string): string
  text(name: string): string | undefined
  boolean(name: string): boolean | undefined
  object(name: string): JsonObject | undefined
  /** Returns 400 for a body that is no JSON object, 422 for fields of the wrong type, and `undefined` when nothing is wrong. */
  rejection(): Answer | undefined
}

/** Creates the reader of a request's JSON body. */
export function createInput({ body }: SandboxRequest): Input {
  const parsed = parse(body.toString('utf8'))
  const fields = 'fields' in parsed ? parsed.fields : {}
  const problems: string[] = []
  function read<Value>(name: string, kind: string, is: (value: unknown) => value is Value) {
    const value = fields[name] ?? undefined
    if (value === undefined || is(value)) return value
    problems.push(`For 'properties/${name}', ${JSON.stringify(value)} is not ${kind}.`)
    return undefined
  }
  return {
    requiredText(name) {
      if ((fields[name] ?? undefined) === undefined) problems.push(`"${name}" wasn't supplied.`)
      return read(name, 'a string', isText) ?? ''
    },
    text: (name) => read(name, 'a string', isText),
    boolean: (name) => read(name, 'a boolean', isBoolean),
    object: (name) => read(name, 'an object', isObject),
    rejection() {
      if ('refused' in parsed) return parsed.refused
      if (problems.length === 0) return undefined
      return refuse(422, `Invalid request.\n\n${problems.join('\n')}`)
    },
  }
}

function parse(text: string): { readonly fields: JsonObject } | { readonly refused: Answer } {
  if (text === '') return { fields: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return { fields: {} }
    return isObject(value)
      ? { fields: value }
      : { refused: refuse(400, 'Body should be a JSON object') }
  } catch {
    return { refused: refuse(400, 'Problems parsing JSON') }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
