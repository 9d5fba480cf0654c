import { Problem } from '@signalbox/contract'
import { errorCodeOf } from '../../store/error-code.ts'
import type { Tx } from '../../store/store.ts'
import type { Connector, ProviderAccount } from '../../providers/connector.ts'
import type { Integration } from '../integration.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import { missingScopes, stateOf } from './keep-connection.ts'
import { isAccountTaken, upsertIntegrationRow } from '../rows.ts'

/** Says which account is put into use. */
export interface ChooseAccount {
  /** Locked by the caller. */
  readonly integration: Integration
  /** One of those that were granted. */
  readonly account: ProviderAccount
  readonly settings: Integration['settings']
  readonly connector: Pick<Connector, 'wantedScopes'>
}

/**
 * Puts one of several granted accounts into use, as if it had been the only one.
 *
 * @throws {Problem} `integration_exists` when another organization of this server uses it.
 */
export async function chooseAccount(
  { emit, now }: Pick<IntegrationDeps, 'emit' | 'now'>,
  tx: Tx,
  { integration, account, settings, connector }: ChooseAccount,
): Promise<Integration> {
  const { orgId, id, kind, provider, scopes } = integration
  if (await isAccountTaken(tx, provider, account.id, orgId)) throw accountTaken()
  const chosen = {
    ...integration,
    ...stateOf(true, missingScopes(connector, scopes)),
    account,
    settings,
  }
  await upsertIntegrationRow(tx, chosen, now())
  await emit(tx, `${kind}.connected`, { orgId, id })
  return chosen
}

const uniqueViolation = '23505'

/** Explains a commit that failed because another organization has taken the account at the same moment. */
export function explainTaken(error: unknown): unknown {
  return errorCodeOf(error) === uniqueViolation ? accountTaken(error) : error
}

/** Returns the problem of an account that another organization has connected. */
export function accountTaken(cause?: unknown): Problem {
  const detail =
    'Another organization of this server has connected it. Disconnect it there first, or choose another account.'
  return new Problem('integration_exists', detail, { cause })
}
