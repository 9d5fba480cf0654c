import type { Rejection } from '../../replica/guards.ts'
import { RefusedError, UpstreamError } from './upstream.ts'

/** Says in one sentence why the upstream feeds this node no longer, and what to do about it where that is known. */
export function describeFailure(failure: unknown, host: string): string {
  if (failure instanceof RefusedError) return describeRejection(failure.reason, host)
  return failure instanceof UpstreamError ? failure.message : `The upstream ${host} cannot be read.`
}

function describeRejection(reason: Rejection, host: string): string {
  switch (reason) {
    case 'signature':
      return `The upstream ${host} offers what no key in SIGNALBOX_PUBLISHER_KEYS has signed. Compare them with those that signalbox publisher-keys prints.`
    case 'older':
      return `The upstream ${host} offers an older state than this node has had. If its database was restored, run there: signalbox publisher-keys new-epoch`
    case 'future':
      return `The mark of the upstream ${host} is over five minutes ahead of the clock of this node. Set the clocks.`
    case 'unreadable':
    case 'hash':
    case 'address':
    case 'fork':
    case 'too_old':
    case 'not_in_manifest':
      return `The upstream ${host} offers what is not as it was signed (${reason}).`
    default:
      return reason satisfies never
  }
}
