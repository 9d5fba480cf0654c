import type { Signal, SignalReading } from '@signalbox/contract/rest'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import { hasRole } from '../../http/admission/access.ts'
import type { UsedSignalRow } from './signal-rows.ts'
import type { SignalRow } from './signal.ts'

/** Renders a signal. Where it reads is for admins: an address often holds a credential. */
export function presentSignal(
  row: UsedSignalRow,
  reader: Parameters<typeof hasRole>[0],
  publicUrl: string,
): Signal {
  const { id, name, spec, sealed, usedBy, revision, createdBy } = row
  return {
    id,
    name,
    kind: spec.kind,
    spec: hasRole(reader, 'admin') ? spec : null,
    hasCredential: sealed !== null,
    address: spec.kind === 'alert' ? `${publicUrl}/signals/${id}` : null,
    last: presentLast(row.last),
    // A key may reach some environments alone.
    usedBy: reader.actor.type === 'api_key' ? [] : [...usedBy],
    revision,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: presentAuthor(createdBy),
    createdWith: presentCredential(createdBy),
  }
}

function presentLast(last: SignalRow['last']): SignalReading | null {
  return last && { ...last }
}
