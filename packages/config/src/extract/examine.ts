import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ValueType } from '@signalbox/contract'
import type { Fragment } from '../json-schema/fragment.ts'
import type { ReadFragment } from '../json-schema/merge-parts.ts'
import { readFragment } from '../json-schema/read-fragment.ts'
import type { Trial } from '../validators/conversions.ts'
import { findDeclared, type Declared } from '../validators/typed.ts'
import { findWrapped, type KeyFacts } from '../validators/wrapped.ts'
import type { FactSource, Resolve } from './extraction.ts'
import { isLinear } from './constraints.ts'
import { readOpaqueRules } from './opaque-rules.ts'
import { decideAbsence, probe, type Absence, type Judge } from './probe.ts'
import { converters, type Written } from './converters.ts'
import { readSides, type Sides } from '../json-schema/read-sides.ts'

/** Holds everything that can be learned about a validator from outside. */
export interface Findings {
  /** Holds the validator without the facts of `typed`. */
  readonly schema: StandardSchemaV1
  readonly vendor: string
  readonly declared: Declared | undefined
  /** Says how `output` and `input` were learned. `undefined`: there is no JSON Schema. */
  readonly source: FactSource | undefined
  /** Says that the library could describe more if its converter were installed. */
  readonly lacksConverter: boolean
  readonly output: ReadFragment | undefined
  readonly input: ReadFragment | undefined
  /** Holds `output` or `input`, whichever says more. */
  readonly read: ReadFragment
  readonly opaque: readonly string[]
  /** Says whether the patterns mean something else than their JSON Schema does. */
  readonly patternsDiffer: boolean
  readonly trials: readonly Trial[]
  readonly absence: Absence
  /** Holds what the definition says about the key beside the validator. */
  readonly facts: KeyFacts
  readonly judge: Judge
}

/** Holds what a validator is examined with. */
export interface Examiner {
  readonly resolve: Resolve
  readonly judge: Judge
}

const nothing: ReadFragment = { fragment: {}, dropped: [] }

const saysNothing = ({ fragment, violation }: ReadFragment) =>
  violation === undefined && Object.keys(fragment).length === 0

/** Reads, converts and tries a validator. @throws {LateValidator} when it does not answer about a sample */
export async function examine(
  validator: StandardSchemaV1,
  { resolve, judge }: Examiner,
): Promise<Findings> {
  const { schema, declared, facts } = unwrap(validator)
  const { vendor } = schema['~standard']
  const converted = await convert(schema, resolve)
  const { rules, patternsDiffer } = readOpaqueRules(schema)
  const keepsPattern = (pattern: string) => !patternsDiffer && isLinear(pattern)
  const read = (side: object | undefined) =>
    side && readFragment(side, { emptyIsUndefined: vendor === 'arktype', keepsPattern })
  const output = read(converted.output)
  const input = read(converted.input)
  const fragment = output && !saysNothing(output) ? output : (input ?? output)
  const probes = await probe(validator, judge)
  const defaults = [declared, output?.fragment, input?.fragment].map((each) => each?.default)
  return {
    schema,
    vendor,
    declared,
    source: converted.source,
    lacksConverter: converted.lacksConverter === true,
    output,
    input,
    read: fragment ?? nothing,
    opaque: [...rules, ...(converted.unwritten ?? [])],
    patternsDiffer,
    trials: probes.trials,
    absence: decideAbsence(probes, defaults),
    facts,
    judge,
  }
}

type Unwrapped = Pick<Findings, 'schema' | 'declared' | 'facts'>

function unwrap(validator: StandardSchemaV1): Unwrapped {
  const outer = findWrapped(validator)
  if (outer !== undefined) {
    const { schema, ...said } = outer
    const { facts, ...inner } = unwrap(schema)
    return { ...inner, facts: { ...facts, ...said } }
  }
  const declared = findDeclared(validator)
  if (declared === undefined) return { schema: validator, declared, facts: {} }
  // A wrapper inside of typed() counts as well.
  const { schema, facts } = unwrap(declared.schema)
  return { schema, declared, facts }
}

/** Returns the type of a fragment as the configuration names it: an integer is a number. */
export function typeOf({ type }: Fragment): ValueType | undefined {
  return type === 'integer' ? 'number' : type
}

/** Describes the JSON Schema that a library wrote for a validator. */
interface Converted extends Sides {
  /** `undefined`: nobody could write it. */
  readonly source?: FactSource
  /** Lists the rules that the converter could not write. */
  readonly unwritten?: readonly string[]
  /** Says that the converter of the library is not installed. */
  readonly lacksConverter?: true
}

/** Returns the JSON Schema of a validator: its own, else from the converter of its library, else none. */
async function convert(schema: StandardSchemaV1, resolve: Resolve): Promise<Converted> {
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
