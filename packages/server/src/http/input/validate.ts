import { Problem, type ProblemLocation } from '@signalbox/contract'
import type { z } from 'zod'
import { describeIssue } from './describe-issue.ts'
import { toJsonPointer } from './json-pointer.ts'

const errorsMax = 200

/**
 * Validates a body, or the part of it that `path` leads to, and returns its parsed form, or throws a problem with one error for each violation.
 *
 * @throws {Problem} `unknown_field` when unknown members are all that is wrong, else `validation_failed`.
 */
export function validateBody<T extends z.ZodType>(
  schema: T,
  body: unknown,
  path: readonly string[] = [],
): z.output<T> {
  const result = schema.safeParse(body, { error: describeIssue, reportInput: true })
  if (result.success) return result.data
  const render: Render = (below) => toJsonPointer([...path, ...below])
  const errors = result.error.issues.flatMap((issue) => toErrors(issue, render))
  const onlyUnknown = errors.every(({ code }) => code === 'unknown_field')
  throw new Problem(onlyUnknown ? 'unknown_field' : 'validation_failed', summarizeErrors(errors), {
    errors: errors.slice(0, errorsMax),
  })
}

/**
 * Validates a query and returns its parsed form. The pointer of an error is `?` and the parameter's name.
 *
 * @throws {Problem} `invalid_query`.
 */
export function validateQuery<T extends z.ZodType>(schema: T, query: unknown): z.output<T> {
  const result = schema.safeParse(query, { error: describeIssue, reportInput: true })
  if (result.success) return result.data
  const errors = result.error.issues
    .flatMap((issue) => toErrors(issue, (path) => `?${String(path[0] ?? '')}`))
    .map(({ pointer, detail }): ProblemLocation => ({ pointer, code: 'invalid_query', detail }))
  throw new Problem('invalid_query', summarizeErrors(errors), {
    errors: errors.slice(0, errorsMax),
  })
}

type Render = (path: readonly PropertyKey[]) => string

function toErrors(issue: z.core.$ZodIssue, render: Render): ProblemLocation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: render([...issue.path, key]),
      code: 'unknown_field',
      detail: 'This request has no such field. Leave it out.',
    }))
  }
  const wrongType = issue.code === 'invalid_type' && issue.input !== undefined
  return [
    {
      pointer: render(issue.path),
      code: wrongType ? 'type_mismatch' : 'validation_failed',
      detail: issue.message,
    },
  ]
}

/** Says what is wrong with a request in one sentence, which names the first place. */
export function summarizeErrors(errors: readonly ProblemLocation[]): string {
  const [first] = errors
  if (first === undefined) return 'The request is not valid.'
  const where = first.pointer === '' ? 'The body' : first.pointer
  const others = errors.length - 1
  const more = others === 0 ? '' : ` (and ${others} more in "errors")`
  return `${where}: ${first.detail}${more}`
}
