import type { Asker } from '../../http/admission/fair-rate.ts'

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
