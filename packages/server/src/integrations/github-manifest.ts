import { callbackUrl } from './integration-deps.ts'
import { providerAppRequirements } from './provider-app-requirements.ts'

/** Longer names are refused. They are unique on all of GitHub, and the page there lets people choose another. */
const nameLength = 34

/**
 * What GitHub is to make an App of.
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function renderManifest(publicUrl: string): Readonly<Record<string, unknown>> {
  const { permissions, events } = providerAppRequirements.github
  const { host } = new URL(publicUrl)
  return {
    name: `Signalbox ${host}`.slice(0, nameLength),
    url: publicUrl,
    hook_attributes: { url: webhookUrl(publicUrl), active: true },
    redirect_url: `${publicUrl}/server/provider-apps/github/manifest/callback`,
    callback_urls: [callbackUrl({ publicUrl: () => publicUrl }, 'codehost')],
    // Proves whose installation it is, in the same step.
    request_oauth_on_install: true,
    // Whoever changes an installation comes back, and so does who connects an existing one.
    setup_on_update: true,
    public: false,
    default_permissions: permissions,
    default_events: events,
  }
}

/**
 * Where GitHub is to send webhooks. It takes no address of this machine, and keeps its log, from which they are fetched
 * then, only of a webhook that is active. So it is given an address that leads to nobody (RFC 6761 §6.4).
 */
export function webhookUrl(publicUrl: string): string {
  const origin = isLoopback(publicUrl) ? 'https://signalbox.invalid' : publicUrl
  return `${origin}/webhooks/codehost`
}

/** Whether an address is of the machine that it is opened on. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)
}
