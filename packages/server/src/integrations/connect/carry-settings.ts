import type { Connector, ProviderAccount } from '../../providers/connector.ts'
import type { Integration } from '../integration.ts'
import { codehostSettings, readKeyWorkflows } from '../settings-of-kind.ts'

/** Names what is connected now. */
export interface NextConnection extends Pick<Connector, 'provider' | 'isSameAccount'> {
  /** `undefined`: it is not chosen yet. */
  readonly account: ProviderAccount | undefined
}

/**
 * Returns the settings of the connection before that hold for the next one: all of them for the same account, and for another code
 * host or account the rules of environments by name, and that API keys may not start every workflow. Repositories, workflows, channels and projects of another account mean nothing.
 */
export function carrySettings(
  before: Pick<Integration, 'kind' | 'provider' | 'account' | 'settings'> | undefined,
  { provider, isSameAccount, account }: NextConnection,
): Readonly<Record<string, unknown>> {
  if (before === undefined) return {}
  const former = before.account
  const isSame =
    before.provider === provider &&
    former !== null &&
    account !== undefined &&
    (former.id === account.id || isSameAccount?.(former, account) === true)
  if (isSame) return before.settings
  if (before.kind !== 'codehost') return {}
  return carryRules(before)
}

/** Returns what holds for another code host or account. */
function carryRules({
  settings,
}: Pick<Integration, 'settings'>): Readonly<Record<string, unknown>> {
  const { environmentMap = [] } = codehostSettings.safeParse(settings).data ?? {}
  const byName = environmentMap.filter(({ repositoryId }) => repositoryId === undefined)
  return {
    ...(byName.length > 0 && { environmentMap: byName }),
    // The workflows of the list are gone, and that keys may not start every workflow still holds.
    ...(readKeyWorkflows(settings) !== null && { keyWorkflows: [] }),
  }
}
