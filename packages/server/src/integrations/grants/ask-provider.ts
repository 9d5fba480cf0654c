import { Problem } from '@signalbox/contract'
import { ProviderError } from '../../providers/provider-error.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import { describeRefusedRenewal, findRefusedRenewal, noApplication } from '../health/not-renewed.ts'

/**
 * Calls a provider on behalf of a person. A failure says what went wrong and what to do. `enteredUrl`: where an operator has said that
 * the provider is.
 *
 * @throws {Problem}
 */
export async function askProvider<T>(
  { now, enteredUrl }: { readonly now: () => Date; readonly enteredUrl?: string | undefined },
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (enteredUrl !== undefined && isUnreachable(error)) throw unreachableAt(enteredUrl, error)
    throw toProblem(error, now())
  }
}

/**
 * Turns an error into a problem with what to do: `reauth_required` when a person has to connect again, `renewal_refused` when one may
 * have to, else `provider_error`.
 */
export function toProblem(error: ProviderError, now: Date): Problem {
  const { failure, code, retryAt } = error
  const name = displayNameOf(error.provider)
  if (failure === 'unauthorized') {
    const detail = `${name} revoked access. Connect it again.`
    return new Problem('reauth_required', detail, { cause: error })
  }
  const options = {
    cause: error,
    ...(retryAt === undefined ? {} : { retryAfterSeconds: secondsBetween(now, retryAt) }),
  }
  const refusedUntil = findRefusedRenewal(error)
  if (refusedUntil !== undefined) {
    const { detail, nextStep } = describeRefusedRenewal(name, refusedUntil)
    return new Problem('renewal_refused', `${detail} ${nextStep}`, options)
  }
  return new Problem('provider_error', `${name} ${sentenceOf(error)} The code is ${code}.`, options)
}

function unreachableAt(url: string, error: ProviderError): Problem {
  const detail = `${displayNameOf(error.provider)} does not answer at ${url}, or is failing. Nothing was changed. Try again later. If the address is wrong, an operator corrects it on the Integrations page, under Applications of this server.`
  return new Problem('provider_error', detail, { cause: error })
}

function isUnreachable(error: ProviderError): boolean {
  return error.failure === 'unavailable' && !isForbiddenAddress(error)
}

/** Returns whether the guard of outbound calls refused the address: the provider was not asked. */
function isForbiddenAddress({ code }: ProviderError): boolean {
  return code === 'address_forbidden' || code === 'invalid_url'
}

function sentenceOf(error: ProviderError): string {
  if (isForbiddenAddress(error)) {
    return 'is at an address that this server may not call. Ask an operator of the server to add its host to SIGNALBOX_EGRESS_ALLOW.'
  }
  if (error.code === noApplication) {
    return 'renews the access only for an application, and this server has none there any more. Ask an operator of the server to set it up on the Integrations page.'
  }
  switch (error.failure) {
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
