import type { StandardSchemaV1 } from '@standard-schema/spec'
import { converters, type Written } from './converters.ts'
import type { FactSource, Resolve } from './extraction.ts'
import { readSides, type Sides } from '../json-schema/read-sides.ts'

/** Describes the JSON Schema that a library wrote for a validator. */
export interface Converted extends Sides {
  /** `undefined`: nobody could write it. */
  readonly source?: FactSource
  /** Lists the rules that the converter could not write. */
  readonly unwritten?: readonly string[]
  /** Says that the converter of the library is not installed. */
  readonly lacksConverter?: true
}

/** Returns the JSON Schema of a validator: its own, else from the converter of its library, else none. */
export async function convert(schema: StandardSchemaV1, resolve: Resolve): Promise<Converted> {
  const { vendor } = schema['~standard']
  const own = readSides(schema)
  // A sury schema writes itself only where some module has enabled that before.
  if ((own.output || own.input) && vendor !== 'sury') return { ...own, source: 'jsonSchema' }
  try {
    const write = await converters.get(vendor)?.(resolve)
    return write ? tryToWrite(() => write(schema)) : {}
  } catch {
    return { lacksConverter: true }
  }
}

function tryToWrite(write: () => Written | undefined): Converted {
  try {
    const written = write()
    return written?.output || written?.input ? { ...written, source: 'converter' } : {}
  } catch {
    return {}
  }
}
