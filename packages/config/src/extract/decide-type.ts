import { valueTypes, type Tier, type ValueType } from '@signalbox/contract'
import { isConfigValue } from '../json-schema/part.ts'
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

const oneType = 'accept one of string, number and boolean'
const ownValidator = "use string(), number(), boolean() or oneOf() of '@signalbox/config'"

/**
 * Returns a rejection for a validator that transforms values. The server stores its results, and clients read them
 * without running it, so they must be valid as they are.
 */
function transformation({ output, input, source }: Findings): Rejection | undefined {
  const [produced, taken] = [output, input].map((side) => side && typeOf(side.fragment))
  const cannotBeWritten = source !== undefined && output === undefined
  if (!cannotBeWritten && (!produced || !taken || produced === taken)) return undefined
  return {
    detail:
      'transforms its value (a date, a bigint, a parsed text), but clients read what is stored without running it',
    fixes: ['declare the text or the number, and transform it where it is read', ownValidator],
  }
}

/** Returns the types of those samples that the validator accepts and returns unchanged. */
function acceptedTypes({ trials }: Findings): ValueType[] {
  const unchangedSamples = trials.flatMap(({ sample, outcome }) =>
    outcome.accepted && Object.is(outcome.value, sample) && isConfigValue(sample) ? [sample] : [],
  )
  const types = new Set(unchangedSamples.map((sample) => typeof sample))
  return valueTypes.filter((type) => types.has(type))
}

function unknownType({ vendor }: Findings, tier: Tier): Rejection {
  const example = tier === 'featureFlags' ? 'boolean' : 'string'
  return {
    detail: 'has an unreadable type: it provides no JSON Schema and rejects every sample value',
    fixes: [`typed('${example}', schema)`, converterAdvice.get(vendor) ?? ownValidator],
  }
}

/** Returns the type of a key, or why it has none. It never guesses from a message. */
export function decideType(findings: Findings, tier: Tier): DecidedKey | Rejection {
  const { declared, read, source, absence } = findings
  if (declared) return { type: declared.type, source: 'declared' }
  const rejection = transformation(findings)
  if (rejection) return rejection
  if (read.violation !== undefined)
    return { detail: `cannot be a key: ${read.violation}`, fixes: [oneType, ownValidator] }
  const schemaType = typeOf(read.fragment)
  if (schemaType && source) return { type: schemaType, source }
  const byDefault =
    absence.kind === 'default'
      ? valueTypes.find((each) => typeof absence.value === each)
      : undefined
  if (byDefault) return { type: byDefault, source: 'probe' }
  const [type, ...others] = acceptedTypes(findings)
  if (others.length > 0)
    return { detail: 'accepts more than one type', fixes: [oneType, ownValidator] }
  return type ? { type, source: 'probe' } : unknownType(findings, tier)
}
