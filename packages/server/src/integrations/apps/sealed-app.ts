import type { Provider } from '../../providers/provider.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import {
  parseApplication,
  renderApplication,
  type StoredApplication,
} from './stored-application.ts'

function contextOf({ name }: Pick<Provider, 'name'>): string {
  return `server|provider_apps|${name}|sealed`
}

/** Seals an application for the database. */
export function sealApp(
  sealer: Sealer,
  provider: Provider,
  application: StoredApplication,
): Buffer {
  return sealer.seal(contextOf(provider), renderApplication(provider, application))
}

/** Opens a stored application. @throws {UnsealError} when it was changed, or is another provider's. */
export function openApp(sealer: Sealer, provider: Provider, sealed: Buffer): StoredApplication {
  return parseApplication(provider, sealer.open(contextOf(provider), sealed).toString('utf8'))
}

/** Opens a stored application; `undefined` when it cannot be opened, so that it can be replaced. */
export function findApp(
  sealer: Sealer,
  provider: Provider,
  row: { readonly sealed: Buffer } | undefined,
): StoredApplication | undefined {
  if (row === undefined) return undefined
  try {
    return openApp(sealer, provider, row.sealed)
  } catch {
    return undefined
  }
}
