import type { ProviderError } from '../../providers/provider-error.ts'

/** Names a call that was not sent, because the provider refuses for now to renew the access. */
export const renewalRefused = 'renewal_refused'

/** Names a call that was not sent, because this server has no application at the provider that could renew the access. */
export const noApplication = 'no_application'

/** Says, to callers and on the page of the integration alike, that a provider refuses to renew the access, and what follows. */
export function describeRefusedRenewal(
  name: string,
  retryAt: Date,
): { readonly detail: string; readonly nextStep: string } {
  const time = retryAt.toISOString().slice(11, 16)
  return {
    detail: `${name} refuses to renew Signalbox’s access.`,
    nextStep: `Signalbox tries again at ${time} UTC. To go on right away, an admin connects ${name} again on the Integrations page.`,
  }
}

/** Returns when a renewal that was refused is tried again; `undefined` for any other error. */
export function findRefusedRenewal(error: ProviderError): Date | undefined {
  return error.code === renewalRefused ? error.retryAt : undefined
}
