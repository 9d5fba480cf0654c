import type { StandardSchemaV1 } from '@standard-schema/spec'
import { converters } from './converters.ts'
import type { FactSource, Resolve } from './extraction.ts'
import { readSides, type Sides } from '../json-schema/read-sides.ts'

/** Describes the JSON Schema that a library wrote for a validator. */
export interface Converted extends Sides {
  readonly source: FactSource
  /** Lists the rules that the converter could not write. */
  readonly unwritten: readonly string[]
}

/** Returns the JSON Schema of a validator: its own, else from the converter of its library, else none. */
export async function convert(
  schema: StandardSchemaV1,
  resolve: Resolve,
): Promise<Converted | undefined> {
  const { vendor } = schema['~standard']
  const own = readSides(schema)
  // A sury schema writes itself only where some module has enabled that before.
  if ((own.output || own.input) && vendor !== 'sury') {
    return { ...own, source: 'jsonSchema', unwritten: [] }
  }
  try {
    const converted = await converters.get(vendor)?.(schema, resolve)
    if (!converted?.output && !converted?.input) return undefined
    return { unwritten: [], ...converted, source: 'converter' }
  } catch {
    // The converter is not installed, or has failed.
    return undefined
  }
}
