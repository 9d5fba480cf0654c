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
    // GitHub refuses an address of this machine, and could not reach it: deliveries are pulled from its log instead.
    ...(!isLoopback(publicUrl) && {
      hook_attributes: { url: `${publicUrl}/webhooks/codehost`, active: true },
    }),
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

/** Whether an address is of the machine that it is opened on. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)
}
