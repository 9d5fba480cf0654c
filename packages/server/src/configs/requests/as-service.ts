import { verbs } from '@signalbox/contract'
import type { Caller } from '../../config-model/caller.ts'
import type { RequestRow } from './request.ts'

/** Returns the caller as which a request is planned or applied by itself: by the name of its author, and with every right. */
export function asService(
  { author: { via: _via, ...author } }: Pick<RequestRow, 'author'>,
  orgId: string,
): Caller {
  return {
    orgId,
    scope: { orgId },
    author,
    request: { requestId: '', ip: '', userAgent: undefined },
    permissions: [{ verbs, environmentIds: null, schemaIds: null }],
    environmentIds: null,
    schemaIds: null,
    readsSecrets: false,
    isAgent: false,
  }
}
