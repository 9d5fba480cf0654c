import { sameValue } from '@signalbox/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import {
  mayBeConverted,
  nothings,
  type ProbeOutcome,
  type Trial,
} from '../validators/conversions.ts'
import { type Question, validateAllWithin, type ValidationOutcome } from './validate.ts'

const rejected: ProbeOutcome = { accepted: false }

/** Validates values. A validator that throws has rejected them. @throws {LateValidator} */
export type Judge = (
  schema: StandardSchemaV1,
  values: readonly unknown[],
) => Promise<readonly ProbeOutcome[]>

type Outcomes = readonly ValidationOutcome[] | Promise<readonly ValidationOutcome[]>

/** Signals that a validator did not answer within the limit. */
export class LateValidator extends Error {}

/** Returns a judge that waits for each answer as long as the limit says. What it is asked at the same time it asks together. */
export function createJudge(limitMs: number): Judge {
  let waiting: (Question & { readonly answer: (outcomes: Outcomes) => void })[] = []
  const askAll = () => {
    const questions = waiting
    waiting = []
    const answers = validateAllWithin(questions, limitMs)
    for (const [index, { answer }] of questions.entries()) answer(answers[index] ?? [])
  }
  return async (schema, values) => {
    const validated = await new Promise<Awaited<Outcomes>>((answer) => {
      if (waiting.length === 0) setImmediate(askAll)
      waiting.push({ schema, values, answer })
    })
    return validated.map((each) => {
      if (each.outcome === 'late') throw new LateValidator()
      return each.outcome === 'accepted' ? { accepted: true, value: each.value } : rejected
    })
  }
}

/** Lists values that no configuration holds, and libraries have validators for. */
const foreignValues: readonly unknown[] = [
  new Date(0),
  0n,
  Symbol('sample'),
  new URL('https://example.com'),
  new Map(),
  new Set(),
  new File([], 'sample'),
  () => undefined,
]

/** Lists values of each type, so that most validators accept one of them. */
const samples: readonly unknown[] = [
  '',
  'a',
  'text',
  ' padded ',
  'UPPER',
  'https://example.com/path',
  'ada@example.com',
  '5',
  'true',
  '2026-11-21',
  '2026-11-21T06:00:00.000Z',
  '0190b6a4-6b1e-7c3d-8f2a-1d2e3f405162',
  '192.0.2.1',
  'x'.repeat(40),
  0,
  1,
  -1,
  0.5,
  3000,
  true,
  false,
  ...nothings,
  ...foreignValues,
]

/** Holds the results for the samples, and for a missing value. */
export interface Probes {
  readonly trials: readonly Trial[]
  /** Two, because a default that differs cannot be stored. */
  readonly absences: readonly ProbeOutcome[]
}

/** Validates every sample, and a missing value twice. */
export async function probe(schema: StandardSchemaV1, judge: Judge): Promise<Probes> {
  const outcomes = await judge(schema, [...samples, undefined, undefined])
  return {
    trials: samples.map((sample, index) => ({ sample, outcome: outcomes[index] ?? rejected })),
    absences: outcomes.slice(samples.length),
  }
}

/**
 * Describes the result of `validate(undefined)` for a key that is not set. `converted`: a conversion makes something of
 * it, which nobody has declared.
 */
export type Absence =
  | { readonly kind: 'required' | 'optional' | 'dynamic' | 'converted' }
  | { readonly kind: 'default'; readonly value: unknown }

const isSame = (one: unknown, other: unknown) => Object.is(one, other) || sameValue(one, other)

/** Decides what a missing value is. `declared` holds the defaults that the validator says it has. */
export function decideAbsence(
  { absences: [first, second], trials }: Probes,
  declared: readonly unknown[],
): Absence {
  if (!first?.accepted || !second?.accepted) return { kind: 'required' }
  if (!isSame(first.value, second.value)) return { kind: 'dynamic' }
  const { value } = first
  if (value === undefined) return { kind: 'optional' }
  const isDeclared = declared.some((one) => isSame(one, value))
  const isConverted = !isDeclared && mayBeConverted(value, trials)
  return isConverted ? { kind: 'converted' } : { kind: 'default', value }
}
