import { createContext, Script } from 'node:vm'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { memberOf } from '../standard-schema.ts'

/** Limits how long a validator may take to answer about one value, in milliseconds. */
export const validatorLimitMs = 5_000

/** Describes the answer of a validator about a value. */
export type ValidationOutcome =
  | { readonly outcome: 'accepted'; readonly value: unknown }
  /** `messages` are the validator's own, which may quote the value. */
  | { readonly outcome: 'refused'; readonly messages: readonly string[] }
  /** The validator threw, or rejected. */
  | { readonly outcome: 'failed' }
  /** The validator did not answer within the limit. */
  | { readonly outcome: 'late' }

const late: ValidationOutcome = { outcome: 'late' }
const failed: ValidationOutcome = { outcome: 'failed' }

/** Holds values to validate by one schema. */
export interface Question {
  readonly schema: StandardSchemaV1
  readonly values: readonly unknown[]
}

/** Validates a value, and ends a validator that does not answer within the limit: one that waits, and one that loops. */
export async function validateWithin(
  schema: StandardSchemaV1,
  value: unknown,
  limitMs: number = validatorLimitMs,
): Promise<ValidationOutcome> {
  const [outcomes] = validateAllWithin([{ schema, values: [value] }], limitMs)
  const [outcome = late] = (await outcomes) ?? []
  return outcome
}

/**
 * Validates values as `validateWithin` does, and returns the outcomes of each question. All of them are watched together,
 * because to watch over each of thousands takes a second. What a validator computes for its question is limited. After a
 * value about which it loops it is asked about no other, and all of its question are late.
 */
export function validateAllWithin(
  questions: readonly Question[],
  limitMs: number,
): Promise<ValidationOutcome[]>[] {
  const answers: (ValidationOutcome | Promise<ValidationOutcome>)[][] = []
  while (answers.length < questions.length) {
    const rest = questions.slice(answers.length)
    const isInTime = endAfter(limitMs, () => {
      for (const { schema, values } of rest)
        answers.push(values.map((each) => answerOf(schema, each)))
    })
    // The first has had the whole limit. Another had what was left of it, and is now asked again as the first.
    const isLate = !isInTime && rest.length === questions.length - answers.length
    if (isLate) answers.push(rest[0]?.values.map(() => late) ?? [])
  }
  return answers.map((each) => Promise.all(each.map((answer) => untilLate(answer, limitMs))))
}

type Result = Awaited<ReturnType<StandardSchemaV1['~standard']['validate']>>

/** Returns what a validator answers, as a promise only where it does. A validator that throws has failed. */
function answerOf(
  schema: StandardSchemaV1,
  value: unknown,
): ValidationOutcome | Promise<ValidationOutcome> {
  try {
    const answer = schema['~standard'].validate(value)
    // Its rejection is handled here, because after a loop nobody waits for it.
    return 'then' in answer ? answer.then(toOutcome, () => failed) : toOutcome(answer)
  } catch {
    return failed
  }
}

async function untilLate(
  answer: ValidationOutcome | Promise<ValidationOutcome>,
  limitMs: number,
): Promise<ValidationOutcome> {
  if (!('then' in answer)) return answer
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<ValidationOutcome>((resolve) => {
    timer = setTimeout(resolve, limitMs, late)
  })
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer))
}

function toOutcome(result: Result): ValidationOutcome {
  return result.issues
    ? { outcome: 'refused', messages: result.issues.map(({ message }) => message) }
    : { outcome: 'accepted', value: result.value }
}

const shared: { work: () => void } = { work: () => undefined }
const context = createContext(shared)
const script = new Script('work()')

/** Runs work, and returns whether it has ended in time. No timer can: it waits for the same thread. */
function endAfter(timeout: number, work: () => void): boolean {
  shared.work = work
  try {
    script.runInContext(context, { timeout })
    return true
  } catch (error) {
    // It is an error of the other context, so no `instanceof` knows it.
    if (memberOf(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}
