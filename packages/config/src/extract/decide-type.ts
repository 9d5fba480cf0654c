import {
  isConfigValue,
  sameValue,
  typeOfValue,
  valueTypes,
  type Tier,
  type ValueType,
} from '@signalbox/contract'
import { converterAdvice } from './converters.ts'
import { typeOf, type Findings } from './examine.ts'
import type { FactSource } from './extraction.ts'

/** Describes why a key is not accepted, and the ways to fix it, of which one is enough. */
export interface Rejection {
  readonly detail: string
  readonly fixes: readonly string[]
}

/** Holds the type of a key, and its source. */
export interface DecidedKey {
  readonly type: ValueType
  readonly source: FactSource
}

const oneType = 'accept one of string, number, boolean, and objects or lists'
const ownValidator = "use string(), number(), boolean() or oneOf() of '@signalbox/config'"

const notStored: Rejection = {
  detail:
    'produces what no configuration holds, such as a date, a bigint or a file: only strings, numbers, booleans, and objects and lists of JSON are stored',
  fixes: ['declare the string or the number, and convert it where it is read', ownValidator],
}

const transforms: Rejection = {
  detail: 'transforms its value, but clients read what is stored without running it',
  fixes: ['declare the string or the number, and transform it where it is read', ownValidator],
}

const takesNull: Rejection = {
  detail: 'accepts null, which no key has as its value',
  fixes: ['remove null from it', 'make it optional instead, where the key may have no value'],
}

/**
 * Returns a rejection for a validator whose values cannot be stored. The server stores its results, and clients read them
 * without running it, so they must be valid as they are.
 */
function findUnstorable({ output, input, source, trials }: Findings): Rejection | undefined {
  const results = trials.flatMap(({ outcome }) => (outcome.accepted ? [outcome.value] : []))
  const stored = results.filter((each) => isConfigValue(each))
  if (stored.length === 0 && results.some((each) => isForeign(each))) return notStored
  const [produced, taken] = [output, input].map((side) => side && typeOf(side.fragment))
  const cannotBeWritten = source !== undefined && output === undefined
  return cannotBeWritten || (produced && taken && produced !== taken) ? transforms : undefined
}

const isForeign = (value: unknown) => value !== null && value !== undefined && !isConfigValue(value)

/** Returns whether a validator has the value `null` itself, and does not only make another of it. */
const hasNull = ({ trials }: Findings) =>
  trials.some(({ outcome }) => outcome.accepted && outcome.value === null)

/** Returns the types of those samples that the validator accepts and returns unchanged. */
function acceptedTypes({ trials }: Findings): ValueType[] {
  const unchangedSamples = trials.flatMap(({ sample, outcome }) =>
    outcome.accepted && isConfigValue(sample) && sameValue(outcome.value, sample) ? [sample] : [],
  )
  const types = new Set(unchangedSamples.map(typeOfValue))
  return valueTypes.filter((type) => types.has(type))
}

function unknownType({ vendor, lacksConverter }: Findings, tier: Tier): Rejection {
  const example = tier === 'featureFlags' ? 'boolean' : 'string'
  const converter = lacksConverter ? converterAdvice.get(vendor) : undefined
  return {
    detail: 'has an unreadable type: it provides no JSON Schema and rejects every sample value',
    fixes: [`typed('${example}', schema)`, converter ?? ownValidator],
  }
}

/** Returns the type of a key, or why it has none. It never guesses from a message. */
export function decideType(findings: Findings, tier: Tier): DecidedKey | Rejection {
  const { declared, read } = findings
  if (declared) return { type: declared.type, source: 'declared' }
  if (read.violation !== undefined)
    return { detail: `cannot be a key: ${read.violation}`, fixes: [oneType, ownValidator] }
  const decided = findUnstorable(findings) ?? findType(findings, tier)
  return 'type' in decided && hasNull(findings) ? takesNull : decided
}

function findType(findings: Findings, tier: Tier): DecidedKey | Rejection {
  const { absence, read, source } = findings
  const schemaType = typeOf(read.fragment)
  if (schemaType && source) return { type: schemaType, source }
  const byDefault = absence.kind === 'default' ? typeOfValue(absence.value) : undefined
  if (byDefault) return { type: byDefault, source: 'probe' }
  const [type, ...others] = acceptedTypes(findings)
  if (others.length > 0)
    return { detail: 'accepts more than one type', fixes: [oneType, ownValidator] }
  return type ? { type, source: 'probe' } : unknownType(findings, tier)
}
