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

/** Validates a value, and ends a validator that does not answer within the limit: one that waits, and one that loops. */
export async function validateWithin(
  schema: StandardSchemaV1,
  value: unknown,
  limitMs: number = validatorLimitMs,
): Promise<ValidationOutcome> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<ValidationOutcome>((resolve) => {
    timer = setTimeout(resolve, limitMs, late)
  })
  try {
    const answer = endAfter(limitMs, () => schema['~standard'].validate(value))
    return await Promise.race([toOutcome(answer), limit])
  } catch (error) {
    return isTimeout(error) ? late : { outcome: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}

type Answer = ReturnType<StandardSchemaV1['~standard']['validate']>

async function toOutcome(answer: Answer): Promise<ValidationOutcome> {
  const result = await answer
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
