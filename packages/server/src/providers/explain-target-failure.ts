import type { ProviderError } from './provider-error.ts'
import type { TargetFailure } from './target.ts'

/** Names who failed and where, for sentences. */
interface FailedAddress {
  /** As people write it. */
  readonly provider: string
  readonly addressName: string
}

/** Explains the failures that mean the same at every provider; the others are for the provider itself. */
export function explainTargetFailure(
  { failure, code }: ProviderError,
  { provider, addressName }: FailedAddress,
): TargetFailure {
  switch (failure) {
    case 'unauthorized':
      return {
        reason: 'access_revoked',
        detail: `${provider} no longer accepts Signalbox’s access.`,
        nextStep: 'Connect it again, or enter a new token.',
        url: null,
      }
    case 'forbidden':
      return {
        reason: 'permission_missing',
        detail: `${provider} does not allow Signalbox to write to ${addressName}. The code is ${code}.`,
        nextStep: 'Grant the permission, then run the target.',
        url: null,
      }
    case 'notFound':
      return {
        reason: 'not_found',
        detail: `${provider} does not show ${addressName} to Signalbox.`,
        nextStep: 'Check whether it still exists and whether Signalbox has access to it.',
        url: null,
      }
    case 'rateLimited':
      return {
        reason: 'rate_limited',
        detail: `${provider} limits Signalbox’s requests at the moment.`,
        nextStep: 'Signalbox continues automatically.',
        url: null,
      }
    case 'rejected':
      return {
        reason: 'rejected',
        detail: `${provider} refused a request about ${addressName}. The code is ${code}.`,
        nextStep: 'Read the plan, then change the key or the destination that it names.',
        url: null,
      }
    case 'unavailable':
    case 'ambiguous':
      return {
        reason: 'unavailable',
        detail: `${provider} is unreachable or failing. The code is ${code}.`,
        nextStep: 'Signalbox tries again automatically.',
        url: null,
      }
  }
}
