import { Problem, type ProblemLocation } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'
import { z } from 'zod'

/** Holds the parts of a body that `acceptedBody` describes. */
interface SplitBody {
  /** Holds the fields that the endpoint changes; `undefined` when it declares no body. */
  readonly body: unknown
  /** Holds the fields of the response that were sent back. */
  readonly readOnly: Readonly<Record<string, unknown>>
}

/** Splits a valid body into the endpoint's own fields and the read-only fields that were sent back. */
export function splitBody(
  { body: declared, takesResponse }: EndpointShape,
  sent: unknown,
): SplitBody {
  if (takesResponse !== true || !(declared instanceof z.ZodObject))
    return { body: sent, readOnly: {} }
  const fields = Object.entries(Object(sent))
  const isOwn = ([name]: [string, unknown]) => Object.hasOwn(declared.shape, name)
  return {
    body: Object.fromEntries(fields.filter(isOwn)),
    readOnly: Object.fromEntries(fields.filter((field) => !isOwn(field))),
  }
}

/**
 * Refuses a body that was read from something else than what it is sent to, and a new name where the endpoint renames
 * nothing.
 *
 * @throws {Problem} `validation_failed` with the pointer to each field.
 */
export function requireSame(
  stored: { readonly id: string; readonly name: string },
  readOnly: { readonly id?: string | undefined; readonly name?: string | undefined },
): void {
  const errors = (['id', 'name'] as const)
    .filter((field) => readOnly[field] !== undefined && readOnly[field] !== stored[field])
    .map((field): ProblemLocation => {
      const detail = `This request cannot change the ${field} of ${stored.name} (${stored.id}). Send "${stored[field]}", or leave the field out.`
      return { pointer: `/${field}`, code: 'validation_failed', detail }
    })
  const [first] = errors
  if (first !== undefined) throw new Problem('validation_failed', first.detail, { errors })
}
