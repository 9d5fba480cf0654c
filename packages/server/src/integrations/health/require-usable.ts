import { Problem } from '@signalbox/contract'
import { displayNameOf } from '../../providers/find-provider.ts'
import { isUsable, type Integration } from '../integration.ts'

/**
 * Refuses what is not connected, and says what to do about it.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export function requireUsable(integration: Integration | undefined): Integration {
  if (integration === undefined) throw notConnected()
  if (isUsable(integration)) return integration
  throw integration.state === 'reauth_required'
    ? reauthRequired(integration)
    : notConnected(integration)
}

/** Returns the problem of an integration that no calls may be made for. */
export function notConnected(integration?: Pick<Integration, 'state' | 'provider'>): Problem {
  return new Problem('integration_not_connected', sentenceOf(integration))
}

/** Returns the problem of an access that has ended. */
export function reauthRequired({ provider }: Pick<Integration, 'provider'>): Problem {
  const detail = `Access to ${displayNameOf(provider)} was revoked or has expired. Connect it again on the Integrations page.`
  return new Problem('reauth_required', detail)
}

function sentenceOf(integration: Pick<Integration, 'state' | 'provider'> | undefined): string {
  if (integration?.state === 'pending') {
    return `${displayNameOf(integration.provider)} granted several accounts. Choose one, or connect it again.`
  }
  return integration?.state === 'suspended'
    ? `${displayNameOf(integration.provider)} suspended it. Unsuspend it there.`
    : 'It is not connected. Connect it on the Integrations page.'
}
