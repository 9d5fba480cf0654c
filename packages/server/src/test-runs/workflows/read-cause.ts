import { Problem } from '@signalbox/contract'
import { ProviderError } from '../../providers/provider-error.ts'

const notConnected: ReadonlySet<string> = new Set(['integration_not_connected', 'reauth_required'])

/** Returns the code that says why the code host could not be asked; `undefined` where the error is something else. */
export function readCause(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.code
  return error instanceof Problem && notConnected.has(error.code) ? error.code : undefined
}
