import { verbs } from '@signalbox/contract'
import { systemAuthor } from '../audit/audit-event.ts'
import type { Sender } from '../audit/caller.ts'
import type { Caller } from '../config-model/caller.ts'

const bySystem: Sender = {
  author: systemAuthor,
  request: { requestId: '', ip: '', userAgent: undefined },
}

/** Returns the caller as which previews are made and ended: the service itself, or in the name of `by`, and with every right. */
export function asPreviews(orgId: string, { author, request }: Sender = bySystem): Caller {
  return {
    orgId,
    scope: { orgId },
    author,
    request,
    permissions: [{ verbs, environmentIds: null, schemaIds: null }],
    environmentIds: null,
    schemaIds: null,
    readsSecrets: false,
    isAgent: false,
  }
}
