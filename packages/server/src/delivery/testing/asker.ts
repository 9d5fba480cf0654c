import type { Asker } from '../../http/admission/fair-rate.ts'
import type { KeyReader } from '../cache/reader.ts'

/** A browser key without restrictions, which never ends. */
export const reader: KeyReader = {
  type: 'apiKey',
  kind: 'b2m',
  orgId: 'org_1',
  keyId: 'key_1',
  environmentIds: null,
  schemaIds: null,
  allowedOrigins: null,
  allowedNetworks: null,
  isValid: () => true,
  noteUse() {},
  noteSecretRead() {},
}

/** Returns an asker of its own credential and organization, by one name. Override what others share. */
export function askerOf(name: string, shared: Partial<Asker> = {}): Asker {
  return {
    credentialAtAddress: `key ${name} at ${name}`,
    credential: `key ${name}`,
    organization: `org ${name}`,
    network: undefined,
    ...shared,
  }
}
