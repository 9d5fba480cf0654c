import type { IntegrationProvider } from '@signalbox/contract/rest'
import type { Sealer } from '../vault/organization-keys.ts'
import { parseApp, renderApp, type StoredApp } from './provider-app.ts'

function contextOf(provider: IntegrationProvider): string {
  return `server|provider_apps|${provider}|sealed`
}

/** An application as it may stand in the database. */
export function sealApp(sealer: Sealer, app: StoredApp): Buffer {
  return sealer.seal(contextOf(app.provider), renderApp(app))
}

/** @throws {UnsealError} when it was changed, or is another provider's. */
export function openApp(
  sealer: Sealer,
  { provider, sealed }: { readonly provider: IntegrationProvider; readonly sealed: Buffer },
): StoredApp {
  return parseApp(sealer.open(contextOf(provider), sealed).toString('utf8'))
}

/** The same; `undefined` when it cannot be opened, so that it can be replaced. */
export function findApp(
  sealer: Sealer,
  row: Parameters<typeof openApp>[1] | undefined,
): StoredApp | undefined {
  if (row === undefined) return undefined
  try {
    return openApp(sealer, row)
  } catch {
    return undefined
  }
}
