import type { IntegrationKind } from '@signalbox/contract/rest'

/** Returns the address of an integration's page. The dashboard chooses the organization, which a provider's answer does not name. */
export function integrationPage(kind: IntegrationKind): string {
  return `/?integration=${kind}`
}
