import { Problem } from '@signalbox/contract'
import { ProviderError } from '../providers/provider-error.ts'

const notAsked: ReadonlySet<string> = new Set(['integration_not_connected', 'reauth_required'])

/** Why the code host could not be asked, as a code. `undefined`: the error is something else. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.code
  return error instanceof Problem && notAsked.has(error.code) ? error.code : undefined
}
