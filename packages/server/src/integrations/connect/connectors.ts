import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Connector } from '../../providers/connector.ts'
import type { ContextOf } from '../../providers/context.ts'
import { findProvider, providersOfKind } from '../../providers/find-provider.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Integration } from '../integration.ts'

/**
 * Returns the connector of a provider; left out: of the first of the kind that is set up. `undefined` where this server has
 * no application at the provider.
 */
export type ConnectorOf = (kind: IntegrationKind, provider?: string) => Connector | undefined

/** Returns the connector that an integration was connected by; `undefined` where this server has no application any more. */
export function connectorOfIntegration(
  connectorOf: ConnectorOf,
  { kind, provider, isShared }: Pick<Integration, 'kind' | 'provider' | 'isShared'>,
): Connector | undefined {
  const connector = connectorOf(kind, provider)
  return connector?.way === 'shared' && !isShared ? (connector.own ?? connector) : connector
}

/**
 * Returns the connector that an integration is shown with: its own or, if that is no longer in use or there is none,
 * that of the first provider of the kind that is set up.
 */
export function connectorToShow(
  connectorOf: ConnectorOf,
  kind: IntegrationKind,
  integration: Pick<Integration, 'kind' | 'provider' | 'state' | 'isShared'> | undefined,
): Connector | undefined {
  const own = integration && connectorOfIntegration(connectorOf, integration)
  const isInUse = integration !== undefined && integration.state !== 'disconnected'
  return own ?? (isInUse ? undefined : connectorOf(kind))
}

/** Opens the connectors of every provider. */
export function createConnectors(contextOf: ContextOf): ConnectorOf {
  const open = (provider: Provider): Connector | undefined => {
    const context = contextOf(provider.name)
    const application = context.application()
    return application && provider.openConnector(context, application)
  }
  return (kind, name) => {
    if (name === undefined) {
      for (const provider of providersOfKind(kind)) {
        const connector = open(provider)
        if (connector !== undefined) return connector
      }
      return undefined
    }
    const provider = findProvider(name)
    return provider?.kind === kind ? open(provider) : undefined
  }
}
