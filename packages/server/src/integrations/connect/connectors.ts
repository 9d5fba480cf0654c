import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Connector } from '../../providers/connector.ts'
import type { ContextOf } from '../../providers/context.ts'
import { findProvider, providersOfKind } from '../../providers/find-provider.ts'
import type { Provider } from '../../providers/provider.ts'

/**
 * Returns the connector of a provider; left out: of the first of the kind that is set up. `undefined` where this server has
 * no application at the provider.
 */
export type ConnectorOf = (kind: IntegrationKind, provider?: string) => Connector | undefined

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
