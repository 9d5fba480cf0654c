import type { Sandbox } from '@signalbox/sandbox'
import { applicationOwnerOf } from '../../providers/find-provider.ts'
import type { ContextOf, ProviderContext } from '../../providers/context.ts'
import { readProviderSettings } from '../../settings/provider-settings.ts'

/** Returns what reaches the pretended providers, with the applications that they have of this server. */
export function sandboxContexts(
  sandbox: Sandbox,
  reach: Pick<ProviderContext, 'egress' | 'now'>,
): ContextOf {
  return (provider) => {
    const { addresses } = settingsOf(sandbox)
    const owner = applicationOwnerOf(provider)
    return {
      ...reach,
      addresses: addresses[owner] ?? {},
      application: () => settingsOf(sandbox).applications[owner],
    }
  }
}

/** Returns where the pretended providers are, by their names. */
export function sandboxAddresses(
  sandbox: Sandbox,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return settingsOf(sandbox).addresses
}

/** Reads the settings that the sandbox says, as the service does. */
function settingsOf(sandbox: Sandbox) {
  const settings = sandbox.settingsOf(sandbox.cast.map(({ name }) => name))
  return readProviderSettings(new Map(Object.entries(settings)), [])
}
