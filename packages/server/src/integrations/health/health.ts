import type { ProviderError } from '../../providers/provider-error.ts'
import type { Store } from '../../store/store.ts'
import { toProblem } from '../grants/ask-provider.ts'
import { createBreaker, type Breaker } from '../grants/breaker.ts'
import type { Integration } from '../integration.ts'
import { noteFailure, noteSuccess } from './health-rows.ts'

/** Records the outcome of calls for an integration, which its status shows. */
export interface IntegrationHealth {
  /** As `ProviderCall.observe` takes it. Writes at most once a minute for the same news. Never fails. */
  observe(of: Pick<Integration, 'orgId' | 'id'>): (failed: ProviderError | undefined) => void
  /** As `ProviderCall.pausedUntil` takes it: what was observed on this node decides. */
  pausedUntil(of: Pick<Integration, 'id'>): () => Date | undefined
}

const noteEveryMs = 60_000
const keptMax = 10_000

/** Returns what a person does about a failure. A missing object is an answer and no failure. */
const nextSteps: Readonly<Record<ProviderError['failure'], string | undefined>> = {
  unauthorized: 'Connect it again.',
  forbidden: 'Check the missing permissions, grant them, and connect again.',
  rateLimited: 'Signalbox continues automatically.',
  unavailable: 'Signalbox tries again. Check the status page of the provider.',
  ambiguous: 'Signalbox checks whether the call took effect.',
  notFound: undefined,
  rejected: undefined,
}

/** Creates what notes how calls go, with a breaker for each integration of this node. */
export function createIntegrationHealth({
  store,
  now,
  onError,
}: {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}): IntegrationHealth {
  const noted = new Map<string, { readonly outcome: string; readonly atMs: number }>()
  const breakers = new Map<string, Breaker>()
  const breakerOf = ({ id }: Pick<Integration, 'id'>) => {
    const known = breakers.get(id)
    if (known !== undefined) return known
    if (breakers.size >= keptMax) breakers.clear()
    const breaker = createBreaker(now)
    breakers.set(id, breaker)
    return breaker
  }
  const isChange = (id: string, outcome: string, atMs: number) => {
    const last = noted.get(id)
    if (last?.outcome === outcome && atMs - last.atMs < noteEveryMs) return false
    if (noted.size >= keptMax) noted.clear()
    noted.set(id, { outcome, atMs })
    return true
  }
  return {
    pausedUntil: (of) => () => breakerOf(of).pausedUntil(),
    observe: (of) => (failed) => {
      if (failed?.code === 'paused') return
      breakerOf(of).observe(failed)
      const nextStep = failed === undefined ? '' : nextSteps[failed.failure]
      if (nextStep === undefined) return
      const at = now()
      if (!isChange(of.id, failed === undefined ? 'ok' : failed.message, at.getTime())) return
      const { orgId } = of
      store
        .transaction({ orgId }, (tx) =>
          failed === undefined
            ? noteSuccess(tx, of, at)
            : noteFailure(tx, of, {
                code: failed.code,
                detail: toProblem(failed, at).message,
                nextStep,
                at: at.toISOString(),
              }),
        )
        .catch(onError)
    },
  }
}
