import type { Connector } from '../../providers/connector.ts'

/** Says that a provider cannot end an access. `name`: its own. */
export function noWayToRevoke(name: string): string {
  return `${name} offers no way to revoke the access from here.`
}

/** Says what a person does at a provider to end an access. */
export function adviseRevoking(connector: Connector | undefined, name: string): string {
  return connector?.revokeAdvice ?? `Remove the application on ${name}.`
}
