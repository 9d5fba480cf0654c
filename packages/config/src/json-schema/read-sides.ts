import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isPart, type Part } from './part.ts'
import { memberOf } from '../standard-schema.ts'

/** Holds the two sides of a validator as JSON Schema, where they can be expressed. */
export interface Sides {
  readonly output?: Part | undefined
  readonly input?: Part | undefined
}

const targets = ['draft-2020-12', 'draft-07']

function readSide(schema: StandardSchemaV1, side: 'input' | 'output'): Part | undefined {
  const converter = memberOf(schema['~standard'], 'jsonSchema')
  const convert = memberOf(converter, side)
  if (typeof convert !== 'function') return undefined
  for (const target of targets) {
    try {
      const written: unknown = Reflect.apply(convert, converter, [{ target }])
      if (isPart(written)) return written
    } catch {
      // The library does not write this draft, or this schema.
    }
  }
  return undefined
}

/** Returns the validator's own description through Standard JSON Schema. */
export function readSides(schema: StandardSchemaV1): Sides {
  return { output: readSide(schema, 'output'), input: readSide(schema, 'input') }
}
