import { Problem } from '@signalbox/contract'
import type { ContextOf } from '../../providers/context.ts'
import { displayNameOf, findDestination } from '../../providers/find-provider.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { TargetFailure } from '../../providers/target.ts'

/** Names what a failure is about. */
interface FailedTarget {
  readonly provider: string
  readonly destinationName: string
}

/** Returns what a failure means for a target; `undefined` for one that is a bug. */
export function explainTargetError(
  error: unknown,
  { contextOf }: { readonly contextOf: ContextOf },
  { provider, destinationName }: FailedTarget,
): TargetFailure | undefined {
  if (error instanceof ProviderError) {
    return findDestination(provider)?.target.explain(error, {
      context: contextOf(provider),
      addressName: destinationName,
    })
  }
  if (!(error instanceof Problem)) return undefined
  if (error.code !== 'integration_not_connected' && error.code !== 'reauth_required') {
    return undefined
  }
  return {
    reason: 'access_revoked',
    detail: `${displayNameOf(provider)} is not connected, or its access has ended.`,
    nextStep: 'Connect it again on the Integrations page.',
    url: null,
  }
}

/** Calls a destination on behalf of a person. A failure says what went wrong and what to do. @throws {Problem} */
export async function askDestination<T>(
  deps: { readonly contextOf: ContextOf; readonly now: () => Date },
  of: FailedTarget,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const failure = explainTargetError(error, deps, of)
    if (failure === undefined) throw error
    throw toTargetProblem(failure, error, deps.now())
  }
}

/** Returns the problem that says what failed and what to do. It quotes nothing of the provider. */
export function toTargetProblem(failure: TargetFailure, cause: unknown, now: Date): Problem {
  const { detail, nextStep, url } = failure
  const retryAt = cause instanceof ProviderError ? cause.retryAt : undefined
  return new Problem('provider_error', `${detail} ${nextStep}`, {
    cause,
    ...(retryAt !== undefined && {
      retryAfterSeconds: Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000)),
    }),
    extensions: { reason: failure.reason, ...(url !== null && { url }) },
  })
}
