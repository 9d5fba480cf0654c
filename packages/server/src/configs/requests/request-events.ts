import type { ChangeRequestSummary } from '@signalbox/contract/rest'
import type { AuditEvent } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import { recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import type { RequestRow } from './request.ts'

/** Records what happened to a request, and lets its message in the chat follow. */
export async function recordRequestEvent(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  caller: Caller,
  {
    request: { id, title },
    ...event
  }: Pick<AuditEvent, 'action' | 'detail'> & {
    readonly request: Pick<RequestRow, 'id' | 'title'>
  },
): Promise<void> {
  recordConfigEvent(tx, caller, { ...event, target: { type: 'change_request', id, name: title } })
  await emit(tx, 'changeRequest.changed', { orgId: caller.orgId, id })
}

/** Returns what the author of a request was signed in with. */
export function viaOf({
  author,
  isAgent,
  request,
}: Caller): Pick<ChangeRequestSummary['author'], 'via'> {
  if (isAgent) return { via: 'agent' }
  if (author.type === 'api_key') return { via: 'api_key' }
  const type = request.credential?.type
  return type === undefined || type === 'agent_token' ? {} : { via: type }
}
