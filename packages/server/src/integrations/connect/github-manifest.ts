import { callbackUrl } from '../integration-deps.ts'
import { webhookUrl } from '../../providers/find-provider.ts'
import { github } from '../../providers/github/index.ts'

/** Longer names are refused. They are unique on all of GitHub, and the page there lets people choose another. */
const nameLength = 34

/**
 * What GitHub is to make an App of.
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function renderManifest(publicUrl: string): Readonly<Record<string, unknown>> {
  const { permissions, events } = github.application
  const { host } = new URL(publicUrl)
  return {
    name: `Signalbox ${host}`.slice(0, nameLength),
    url: publicUrl,
    hook_attributes: { url: webhookUrl(github, publicUrl), active: true },
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
