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

function sentenceOf({ failure }: ProviderError): string {
  switch (failure) {
    case 'forbidden':
      return 'does not let us do this. Look at what is missing in the status of the integration.'
    case 'notFound':
      return 'does not show this to us. Look whether it is still there and whether we may see it.'
    case 'rateLimited':
      return 'has had enough of our requests. Try again later.'
    case 'rejected':
      return 'refused the request.'
    case 'unauthorized':
    case 'unavailable':
      return 'cannot be reached or is in trouble. Nothing was changed; try again later.'
    case 'ambiguous':
      return 'gave no answer: it may have been done or not. Look there before you try again.'
  }
}

function secondsBetween(now: Date, moment: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}
