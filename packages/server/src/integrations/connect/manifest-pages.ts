import { escapeHtml, renderDocumentPage } from '../../http/answers/document-page.ts'
import type { StartedManifest } from './begin-manifest.ts'
import type { ManifestRefusal } from './finish-manifest.ts'

export interface ManifestPage extends Pick<StartedManifest, 'action' | 'manifest'> {
  readonly organization: string | undefined
  /** Whether the settings of this server name an App, which then stays in force. */
  readonly isOfSettings: boolean
  readonly isLoopback: boolean
}

/** The page with the one button. */
export function renderManifestPage(page: ManifestPage): string {
  const { action, manifest, organization, isOfSettings, isLoopback } = page
  const owner =
    organization === undefined
      ? `your own account on GitHub. For an organization there, add <code>?organization=name</code> to this address`
      : `the organization <code>${escapeHtml(organization)}</code> on GitHub`
  const notes = [
    'An App that was stored before is replaced, and organizations connect again.',
    ...(isOfSettings
      ? ['The settings of this server name an App. It stays in force as long as they do.']
      : []),
    ...(isLoopback
      ? ['GitHub cannot reach this address, so Signalbox fetches what happens there itself.']
      : []),
  ]
  return renderDocumentPage({
    title: 'Signalbox: register the GitHub App',
    content: `<h1>Register the GitHub App</h1>
<p>GitHub shows what the App may do, makes it, and gives its keys to this server, which stores them sealed.</p>
<p>It will belong to ${owner}.</p>
<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(manifest)}">
<button>Register at GitHub</button>
</form>`,
  })
}

/** What each refusal means and what to do. */
const refusals: Readonly<
  Record<ManifestRefusal | 'step_up_required', readonly [title: string, text: string]>
> = {
  signed_out: ['Sign in first', 'Sign in as an owner of the first organization of this server.'],
  step_up_required: [
    'Confirm your password first',
    'It was typed more than ten minutes ago. Sign out and in again, then come back.',
  ],
  not_operator: [
    'This is for whoever runs this server',
    'That are the owners of its first organization. Ask one of them.',
  ],
  state_invalid: [
    'This is not an answer to a question of this browser',
    'The registration was begun in another browser, as another person, or not at all. Begin again.',
  ],
  state_expired: [
    'That took too long',
    'A registration has to be finished within an hour. Begin again.',
  ],
  state_used: [
    'This was used already',
    'The page was loaded twice, and the App may be registered. If it is not, begin again.',
  ],
  nothing_made: ['GitHub made no App', 'Nothing was changed. Begin again.'],
  conversion_failed: [
    'GitHub did not give the App’s keys',
    'It gives them once. Delete the new App at GitHub, if it is there, and begin again.',
  ],
  provider_unavailable: [
    'GitHub does not answer',
    'Nothing was stored. Delete the new App at GitHub, if it is there, and begin again in some minutes.',
  ],
}

export type ManifestOutcome = keyof typeof refusals

/** One code, and no text of GitHub. */
export function renderManifestRefusal(refusal: ManifestOutcome): string {
  const [title, text] = refusals[refusal]
  const isSignIn = refusal === 'signed_out' || refusal === 'step_up_required'
  const next = isSignIn
    ? '<a href="/">Go to the page to sign in</a>'
    : '<a href="/setup/github-app">Begin again</a>'
  return renderDocumentPage({
    title: `Signalbox: ${title}`,
    content: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><code>${refusal}</code></p>
<p>${next}</p>`,
  })
}

/** What next, once the App is there. */
export function renderRegisteredPage(slug: string): string {
  return renderDocumentPage({
    title: 'Signalbox: the GitHub App is registered',
    content: `<h1>The GitHub App is registered</h1>
<p>It is called <code>${escapeHtml(slug)}</code>, and every node of this server knows it.</p>
<p>Next, an administrator of each organization connects it with its repositories on GitHub.</p>
<p><a href="/">Go to Signalbox</a></p>`,
  })
}
