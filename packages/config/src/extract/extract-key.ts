import {
  findBoundViolations,
  findNoteViolations,
  findVariantViolations,
  isConfigValue,
  keyNotes,
  sameValue,
  toCanonical,
  typeNouns,
  typeOfValue,
  type KeyDefinition,
  type KeyNotes,
  type Tier,
  type ValueType,
} from '@signalbox/contract'
import { type Fragment, violationOf } from '../json-schema/fragment.ts'
import { checkedFormats } from '../json-schema/plain-violation.ts'
import { isStandardSchema, validatorViolation } from '../standard-schema.ts'
import type { KeyFacts } from '../validators/wrapped.ts'
import { findInstability } from './check-stability.ts'
import { toConstraints } from './constraints.ts'
import { decideType, type DecidedKey, type Rejection } from './decide-type.ts'
import { examine, type Examiner, type Findings } from './examine.ts'
import type { Fact, FactSource, KeyReport } from './extraction.ts'
import { LateValidator } from './probe.ts'

/** Describes a key that can be pushed. */
export interface ExtractedKey {
  readonly definition: KeyDefinition
  readonly report: KeyReport
}

const descriptionUnitsMax = 1_000

/** Returns whether samples of the right type are rejected by one of the two alone: the validator, or what the server enforces. */
function disagreements({ trials }: Findings, enforced: Fragment) {
  const { format, type } = enforced
  const comparable = format === undefined || checkedFormats.has(format)
  const tried = comparable ? trials.filter(({ sample }) => typeOfValue(sample) === type) : []
  const differing = tried.filter(
    ({ sample, outcome }) => outcome.accepted !== (violationOf(enforced, sample) === undefined),
  )
  return {
    stricter: differing.some(({ outcome }) => !outcome.accepted),
    looser: differing.some(
      ({ sample, outcome }) => outcome.accepted && sameValue(outcome.value, sample),
    ),
  }
}

/** Describes in words what the validator checks and the server cannot. */
function unenforced(findings: Findings, enforced: Fragment, dropped: readonly string[]): string[] {
  const { opaque, read, source, vendor } = findings
  if (source === undefined) return ['everything but the type']
  const known = [...new Set([...opaque, ...read.dropped, ...dropped, ...hiddenInMembers(findings)])]
  const lengths = vendor === 'effect' && hasLength(findings) ? ['exact lengths'] : []
  if (known.length + lengths.length > 0) return [...known, ...lengths]
  return disagreements(findings, enforced).stricter ? ['a rule of its own'] : []
}

/** Lists the libraries whose checks are found at the top of a validator alone. */
const shallow = new Set(['effect', 'joi', 'sury'])

const hiddenInMembers = ({ read, vendor }: Findings) =>
  read.fragment.type === 'json' && shallow.has(vendor) ? ['checks of its members'] : []

const hasLength = ({ read }: Findings) =>
  read.fragment.minLength !== undefined || read.fragment.maxLength !== undefined

function warningsOf(
  findings: Findings,
  type: ValueType,
  { enforced, hidden }: { readonly enforced: Fragment; readonly hidden: readonly string[] },
): string[] {
  const { absence, trials } = findings
  const coerces = trials.some(
    ({ sample, outcome }) =>
      outcome.accepted && typeOfValue(sample) !== type && typeOfValue(outcome.value) === type,
  )
  return [
    ...(hidden.length > 0
      ? [`checked in full only by the validator, not by the server: ${hidden.join(', ')}`]
      : []),
    ...(absence.kind === 'dynamic'
      ? ['has a default that differs each time, so it is not stored']
      : []),
    ...(absence.kind === 'converted'
      ? [
          'makes a value of a missing one, which is no default: the key is required, unless a default is declared',
        ]
      : []),
    ...(coerces && absence.kind !== 'converted'
      ? [
          `converts other types to ${typeNouns[type]}, which has no effect, because stored values already have the type`,
        ]
      : []),
    ...(disagreements(findings, enforced).looser
      ? [
          'its JSON Schema is stricter than the validator, so the server refuses values that the validator accepts',
        ]
      : []),
  ]
}

function factsOf(
  { declared, input, output, read, source, vendor }: Findings,
  type: FactSource,
  { default: value, description, constraints }: KeyDefinition,
): Fact[] {
  const schemaSource = source ?? 'probe'
  const said = [read, output, input].some((side) => sameValue(side?.fragment.default, value))
  const defaultSource = said ? schemaSource : 'probe'
  return [
    { name: 'type', source: type },
    { name: 'required', source: 'probe' },
    ...(value === undefined
      ? []
      : [
          {
            name: 'default',
            source: declared?.default === undefined ? defaultSource : 'declared',
          } as const,
        ]),
    ...(description === undefined
      ? []
      : [
          {
            name: 'description',
            source: declared?.description === undefined ? schemaSource : 'declared',
          } as const,
        ]),
    ...Object.keys(constraints ?? {}).map((keyword): Fact => ({
      name: `constraints.${keyword}`,
      source: schemaSource,
      ...(vendor === 'effect' && keyword.endsWith('Length') && { atLeast: true }),
    })),
  ]
}

/** Returns what the definition says about a key beside its validator. */
function saidBeside({
  keepsDefault,
  targeted,
  variants,
}: KeyFacts): Pick<KeyDefinition, 'hasDefault' | 'targeted' | 'variants'> {
  return {
    ...(keepsDefault === true && { hasDefault: true }),
    ...(targeted === true && { targeted }),
    ...(variants !== undefined && { variants }),
  }
}

/** Returns the definition of a key of `type` from the findings. */
function define(findings: Findings, { type, source }: DecidedKey, tier: Tier): ExtractedKey {
  const { absence, declared, facts, read, vendor } = findings
  const { constraints, dropped } = toConstraints(read.fragment, findings.patternsDiffer)
  const enforced: Fragment =
    type === 'json' ? { type, schema: constraints } : { ...constraints, type }
  const hidden = unenforced(findings, enforced, dropped)
  const description = declared?.description ?? read.fragment.description ?? read.fragment.title
  const definition: KeyDefinition = {
    type,
    tier,
    ...(['optional', 'dynamic'].includes(absence.kind) && { required: false }),
    ...(absence.kind === 'default' &&
      isConfigValue(absence.value) && { default: toCanonical(absence.value) }),
    ...saidBeside(facts),
    ...(description !== undefined && { description: description.slice(0, descriptionUnitsMax) }),
    ...notesOf(findings),
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(hidden.length > 0 && { partial: true }),
  }
  const sources = factsOf(findings, source, definition)
  return {
    definition,
    report: {
      tier,
      vendor,
      facts: sources,
      warnings: warningsOf(findings, type, { enforced, hidden }),
    },
  }
}

/** Returns the notes that the definition says: those of `typed`, or else those in the JSON Schema. */
function notesOf({ declared, read }: Findings): KeyNotes {
  const entries = keyNotes.map((note) => [note, declared?.[note] ?? read.fragment[note]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function findNoteRejection(findings: Findings, tier: Tier): Rejection | undefined {
  const [violation] = findNoteViolations(notesOf(findings), tier)
  if (violation === undefined) return undefined
  return {
    detail: `has a note that cannot be kept, "${violation.path[0]}"`,
    fixes: [violation.detail],
  }
}

/** Returns why rules cannot decide a key of this tier, or its variants cannot be kept. */
function findTargetingRejection({ facts }: Findings, tier: Tier): Rejection | undefined {
  if (facts.targeted === true && tier !== 'public') {
    return tier === 'secret'
      ? {
          detail: 'is targeted, but rules decide no secrets',
          fixes: ['declare it under public', 'remove targeted'],
        }
      : {
          detail: 'is targeted, but every flag has rules',
          fixes: ['remove targeted', 'declare it under public'],
        }
  }
  if (facts.variants === undefined) return undefined
  if (tier !== 'featureFlags') {
    return { detail: 'has variants, but is no flag', fixes: ['declare it under featureFlags'] }
  }
  const [violation] = findVariantViolations(facts.variants)
  if (violation === undefined) return undefined
  const name = violation.index === undefined ? '' : `, "${facts.variants[violation.index]?.name}"`
  return { detail: `has variants that cannot be kept${name}`, fixes: [violation.detail] }
}

function findDefaultRejection({ facts, absence }: Findings): Rejection | undefined {
  if (facts.keepsDefault !== true || ['required', 'converted'].includes(absence.kind))
    return undefined
  return {
    detail: 'uses withStoredDefault, but has its own default or is optional',
    fixes: ['remove withStoredDefault', 'remove the other one'],
  }
}

/** Holds what is needed to examine validators. */
export interface ExtractionTools extends Examiner {
  /** Limits how long a validator may take about one value, in milliseconds. */
  readonly limitMs: number
}

/** Returns the definition of a key, or why it cannot be known. */
export async function extractKey(
  tier: Tier,
  validator: unknown,
  { limitMs, ...examiner }: ExtractionTools,
): Promise<ExtractedKey | Rejection> {
  try {
    return await examineKey(tier, validator, examiner)
  } catch (error) {
    if (!(error instanceof LateValidator)) throw error
    return {
      detail: `has a validator that did not answer within ${limitMs / 1000} s`,
      fixes: ['remove waiting, network calls and slow patterns from it'],
    }
  }
}

async function examineKey(
  tier: Tier,
  validator: unknown,
  examiner: Examiner,
): Promise<ExtractedKey | Rejection> {
  const violation = validatorViolation(validator)
  if (violation !== undefined || !isStandardSchema(validator)) {
    return { detail: 'has an unusable validator', fixes: [violation ?? 'use another one'] }
  }
  const findings = await examine(validator, examiner)
  const decided = decideType(findings, tier)
  if ('detail' in decided) return decided
  if (tier === 'featureFlags' && decided.type !== 'boolean') {
    return {
      detail: `is ${typeNouns[decided.type]}, but a feature flag must be a boolean`,
      fixes: ['declare it under public or secret', 'make it a boolean'],
    }
  }
  const rejection =
    findDefaultRejection(findings) ??
    findTargetingRejection(findings, tier) ??
    findNoteRejection(findings, tier)
  if (rejection) return rejection
  const instability = await findInstability(findings, decided.type)
  if (instability) return instability
  const extracted = define(findings, decided, tier)
  return findBoundRejection(extracted.definition) ?? extracted
}

function findBoundRejection({ constraints = {} }: KeyDefinition): Rejection | undefined {
  const [violation] = findBoundViolations(constraints)
  if (violation === undefined) return undefined
  const { keyword, detail } = violation
  return { detail: `has a rule that makes no sense, "${keyword}"`, fixes: [detail] }
}
