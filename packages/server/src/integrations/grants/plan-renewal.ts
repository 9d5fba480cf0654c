import type { RefreshLoss } from '../../providers/connector.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import type { CredentialRow } from './credential-rows.ts'
import { cutPause } from '../../jobs/stored-pause.ts'

/** Describes what follows the failed renewal of a grant. */
export type RenewalPlan =
  /** The grant has ended: a person has to connect again. */
  | { readonly next: 'person' }
  /** The same refresh token is good again at `at`, and nobody tries it before. */
  | {
      readonly next: 'retry'
      readonly at: Date
      readonly rejections: number
      /** True: a job tries it then. False: the first caller after that does. */
      readonly isScheduled: boolean
    }

const minuteMs = 60_000
/** After so many minutes each, a refused token is tried again: 1, 5 and 15 minutes after the first rejection. */
const pausesAfterRejectionMs = [1, 4, 10].map((minutes) => minutes * minuteMs)
const [firstPauseMs, longestPauseMs] = [1_000, minuteMs]

/** Holds what is assumed of a provider that declares nothing: a lost answer may have ended the grant, and a rejection has. */
const strictLoss: RefreshLoss = { replayMs: 0, invalidGrantIsFinal: true }

/** Plans what follows the failed renewal of a grant, by what the provider declares of lost answers. `row` is from before the failure. */
export function planRenewal(
  loss: RefreshLoss = strictLoss,
  row: Pick<CredentialRow, 'failures' | 'rejections' | 'failingSince'>,
  { failure, code, retryAt }: Pick<ProviderError, 'failure' | 'code' | 'retryAt'>,
  now: Date,
): RenewalPlan {
  const { failures, rejections } = row
  if (failure === 'rejected') {
    const pauseMs = pausesAfterRejectionMs[rejections]
    const isFinal = loss.invalidGrantIsFinal || code !== 'invalid_grant'
    if (isFinal || pauseMs === undefined) return { next: 'person' }
    const at = new Date(now.getTime() + pauseMs)
    return { next: 'retry', at, rejections: rejections + 1, isScheduled: true }
  }
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10))
  const at = retryAt ? cutPause(retryAt, now) : new Date(now.getTime() + pauseMs)
  const replayEndsMs = (row.failingSince ?? now).getTime() + loss.replayMs
  // Within the window the same token still gets the lost answer, so the renewal does not wait for a call that may come
  // hours later.
  const isScheduled = rejections > 0 || at.getTime() < replayEndsMs
  return { next: 'retry', at, rejections, isScheduled }
}
