import { Problem } from '@signalbox/contract'
import { ProviderError } from '../../providers/provider-error.ts'
import { displayNameOf } from '../../providers/find-provider.ts'

/** Calls a provider on behalf of a person. A failure says what went wrong and what to do. @throws {Problem} */
export async function askProvider<T>(
  { now }: { readonly now: () => Date },
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderError) throw toProblem(error, now())
    throw error
  }
}

/** Turns an error into a problem: `reauth_required` when a person has to connect again, else `provider_error` with what to do. */
export function toProblem(error: ProviderError, now: Date): Problem {
  const { failure, code, retryAt } = error
  const name = displayNameOf(error.provider)
  if (failure === 'unauthorized') {
    const detail = `${name} revoked access (${code}). Connect it again.`
    return new Problem('reauth_required', detail, { cause: error })
  }
  return new Problem('provider_error', `${name} ${sentenceOf(error)} (${code})`, {
    cause: error,
    ...(retryAt === undefined ? {} : { retryAfterSeconds: secondsBetween(now, retryAt) }),
  })
}

function sentenceOf({ failure, code }: ProviderError): string {
  // The guard of outbound calls refused the address: the provider was not asked.
  if (code === 'address_forbidden' || code === 'invalid_url') {
    return 'is at an address that this server may not call. Ask an operator of the server to add its host to SIGNALBOX_EGRESS_ALLOW.'
  }
  switch (failure) {
    case 'forbidden':
      return 'does not allow this. Check the integration’s page for missing permissions.'
    case 'notFound':
      return 'does not show this to Signalbox. Check whether it still exists and whether Signalbox has access to it.'
    case 'rateLimited':
      return 'is limiting Signalbox’s requests. Try again later.'
    case 'rejected':
      return 'refused the request.'
    case 'unauthorized':
    case 'unavailable':
      return 'is unreachable or failing. Nothing was changed. Try again later.'
    case 'ambiguous':
      return 'did not answer, so Signalbox doesn’t know whether it was done. Check there before you try again.'
  }
}

function secondsBetween(now: Date, moment: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}
