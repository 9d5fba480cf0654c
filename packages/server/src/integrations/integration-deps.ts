import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Emit } from '../jobs/emit.ts'
import type { Store } from '../store/store.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'
import type { ConnectorOf } from './connect/connectors.ts'

/** Names the events by which integrations tell the rest of the service. */
export type IntegrationEvent =
  | `${IntegrationKind}.connected`
  | 'integration.disconnected'
  | 'integration.attention'

/** Lists what connecting and disconnecting need. */
export interface IntegrationDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly connectorOf: ConnectorOf
  /** Signs state parameters; every node must have it alike. */
  readonly stateKey: Buffer
  /** Where browsers reach this server. */
  readonly publicUrl: () => string
  readonly emit: Emit<IntegrationEvent>
  readonly now: () => Date
}

/** Returns where a provider sends the browser back to. */
export function callbackUrl(
  { publicUrl }: Pick<IntegrationDeps, 'publicUrl'>,
  kind: string,
): string {
  return `${publicUrl()}/integrations/${kind}/oauth/callback`
}
