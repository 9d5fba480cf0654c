import type { Sealer } from '../../vault/organization-keys.ts'
import type { SignalRow } from './signal.ts'

/** Holds what a signal proves itself with, or is proved by. */
export interface Credential {
  /** Holds the whole `Authorization` header of each read. */
  readonly authorization?: string
  /** Signs what Sentry sends. */
  readonly clientSecret?: string
}

function addressOf(orgId: string, id: string): string {
  return `${orgId}|signals|${id}|credential`
}

/** Seals the credential of a signal. `null`: it has none. */
export function sealCredential(
  sealer: Sealer,
  orgId: string,
  { id, credential }: { readonly id: string; readonly credential: Credential },
): Buffer | null {
  if (Object.keys(credential).length === 0) return null
  return sealer.seal(addressOf(orgId, id), JSON.stringify(credential))
}

/** Opens the credential of a signal. It is empty where there is none. */
export function openCredential(
  sealer: Sealer,
  orgId: string,
  { id, sealed }: Pick<SignalRow, 'id' | 'sealed'>,
): Credential {
  if (sealed === null) return {}
  const credential: Credential = JSON.parse(sealer.open(addressOf(orgId, id), sealed).toString())
  return credential
}
