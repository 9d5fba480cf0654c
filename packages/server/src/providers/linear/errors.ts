import { z } from 'zod'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { ProviderFailure } from '../provider-error.ts'

const text = z.string().optional().catch(undefined)
const graphqlError = z.object({
  message: text,
  extensions: z.object({ code: text, type: text }).optional().catch(undefined),
})
const refused = z.object({ errors: z.array(graphqlError).min(1) })

/** Describes an error of an answer by Linear's own code. */
export interface LinearError {
  /** Example: `RATELIMITED`. */
  readonly code: string
  /** True: what was asked for by its id is not there, or is hidden. */
  readonly isAbsence: boolean
}

const codePattern = /^[A-Z][A-Z0-9_]{0,63}$/
/** Linear has no code for it: the code of each wrong input is the same. */
const absencePattern = /^Entity not found\b/

/**
 * Returns the first error of an answer; `undefined` where it has none. An answer of 200 may hold errors beside its data, and one
 * of 400 may mean anything but a wrong request.
 */
export function readLinearError(body: Buffer): LinearError | undefined {
  const { data } = refused.safeParse(readForeignJson(body))
  const error = data?.errors[0]
  if (error === undefined) return undefined
  const { code, type } = error.extensions ?? {}
  // Some errors have only a type, which is the code in words: `authentication error`.
  const known = code ?? type?.toUpperCase().replaceAll(' ', '_') ?? ''
  return {
    code: codePattern.test(known) ? known : 'UNKNOWN',
    isAbsence: absencePattern.test(error.message ?? ''),
  }
}

const failures = new Map<string, ProviderFailure>([
  ['AUTHENTICATION_ERROR', 'unauthorized'],
  ['FORBIDDEN', 'forbidden'],
  ['FEATURE_NOT_ACCESSIBLE', 'forbidden'],
  ['INTERNAL_SERVER_ERROR', 'unavailable'],
  ['INTERNAL_ERROR', 'unavailable'],
  ['LOCK_TIMEOUT', 'unavailable'],
  ['NETWORK_ERROR', 'unavailable'],
  ['BOOTSTRAP_ERROR', 'unavailable'],
  ['UNKNOWN', 'unavailable'],
])

/** Returns what an error means for the call, which only reads. */
export function failureOfLinearError({ code, isAbsence }: LinearError): ProviderFailure {
  return isAbsence ? 'notFound' : (failures.get(code) ?? 'rejected')
}
