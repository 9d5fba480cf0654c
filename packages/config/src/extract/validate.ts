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

/** Validates a value, and ends a validator that does not answer within the limit: one that waits, and one that loops. */
export async function validateWithin(
  schema: StandardSchemaV1,
  value: unknown,
  limitMs: number = validatorLimitMs,
): Promise<ValidationOutcome> {
  const [outcome = late] = await validateAllWithin(schema, [value], limitMs)
  return outcome
}

/**
 * Validates values as `validateWithin` does. They share one limit for what they compute, because to watch over each of
 * thousands takes seconds. After one that loops no other is validated, and all are late.
 */
export async function validateAllWithin(
  schema: StandardSchemaV1,
  values: readonly unknown[],
  limitMs: number,
): Promise<ValidationOutcome[]> {
  try {
    const answers = endAfter(limitMs, () => values.map((value) => answerOf(schema, value)))
    return await Promise.all(answers.map((answer) => untilLate(answer, limitMs)))
  } catch (error) {
    if (isTimeout(error)) return values.map(() => late)
    throw error
  }
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

/** Runs work, and throws when it does not return in time. No timer can: it waits for the same thread. */
function endAfter<T>(timeout: number, work: () => T): T {
  const results: T[] = []
  shared.work = () => void results.push(work())
  script.runInContext(context, { timeout })
  const [result] = results
  // The script has run to its end, so there is a result.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return result as T
}

function isTimeout(error: unknown): boolean {
  // It is an error of the other context, so no `instanceof` knows it.
  return memberOf(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
