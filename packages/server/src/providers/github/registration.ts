import { cutText } from '@signalbox/contract'
import type { ApplicationRegistration, RegistrationRequest } from '../application-registration.ts'
import { valueOf } from '../context.ts'
import { githubEvents, githubPermissions } from './application.ts'
import { convertManifest } from './convert-manifest.ts'
import { isLoopback } from './loopback.ts'

/** Longer names are refused. They are unique on all of GitHub, and the page there lets people choose another. */
const nameLength = 34

const login = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/

/**
 * Describes how GitHub makes an App from a manifest.
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const githubRegistration: ApplicationRegistration = {
  lifetimeMs: 3600 * 1000,
  account: {
    accepts: (name) => login.test(name),
    advice:
      'That can’t be a name on GitHub. It has letters, digits and single hyphens, as in github.com/acme.',
  },
  notes: (publicUrl) =>
    isLoopback(publicUrl)
      ? ['GitHub can’t reach this server, so Signalbox fetches events from GitHub itself.']
      : [],
  begin({ addresses }, request) {
    const { account, state } = request
    const owner = account === undefined ? '' : `/organizations/${encodeURIComponent(account)}`
    const query = new URLSearchParams({ state }).toString()
    return {
      action: `${valueOf(addresses, 'web')}${owner}/settings/apps/new?${query}`,
      manifest: JSON.stringify(renderManifest(request)),
    }
  },
  async finish({ addresses, egress, now }, code) {
    const call = { provider: 'github', egress, now }
    const { webhookSecret, ...app } = await convertManifest(call, {
      apiUrl: valueOf(addresses, 'api'),
      code,
    })
    return { name: app.slug, values: { ...app }, webhookSecret, identity: { appId: app.appId } }
  },
}

/** Returns what GitHub is to make an App of. */
export function renderManifest({
  publicUrl,
  callbackUrl,
  webhookUrl,
  returnUrl,
}: Omit<RegistrationRequest, 'state' | 'account'>): Readonly<Record<string, unknown>> {
  const { host } = new URL(publicUrl)
  return {
    name: cutText(`Signalbox ${host}`, nameLength),
    url: publicUrl,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: returnUrl,
    callback_urls: [callbackUrl],
    // Proves whose installation it is, in the same step.
    request_oauth_on_install: true,
    // A person who changes an installation comes back, or connects one that is there.
    setup_on_update: true,
    public: false,
    default_permissions: githubPermissions,
    default_events: githubEvents,
  }
}
