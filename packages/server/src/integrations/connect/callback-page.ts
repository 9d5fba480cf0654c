import { escapeHtml, renderDocumentPage } from '../../http/answers/document-page.ts'
import type { CallbackRefusal } from './finish-authorization.ts'

/** Says what each refusal means and what to do, to the person whose browser came back. */
const texts: Readonly<Record<CallbackRefusal, readonly [title: string, text: string]>> = {
  state_invalid: [
    'This is not an answer to a question of ours',
    'The address was changed on the way, or nobody began to connect. Begin again in the settings of your organization.',
  ],
  state_expired: [
    'That took too long',
    'A connection has to be finished within ten minutes. Begin again in the settings of your organization.',
  ],
  state_used: [
    'This was used already',
    'The page was loaded twice, or the connection is finished. Look at the settings of your organization; if it is not connected there, begin again.',
  ],
  session_changed: [
    'This browser did not begin the connection',
    'You are signed in as somebody else, not at all, or in another browser. Nothing was kept. Sign in as the person who began, and begin again.',
  ],
  role_changed: [
    'You may not connect this organization any more',
    'Connecting is for its administrators. Nothing was kept. Ask one of them, and remove the application at the provider if your account there still lists it.',
  ],
  provider_mismatch: [
    'The answer is of another provider',
    'Begin again in the settings of your organization.',
  ],
  changed_elsewhere: [
    '{provider} has saved it',
    'If Signalbox is connected, it follows by itself, and there is nothing to do. If it is not, begin in the settings of your organization.',
  ],
  provider_denied: [
    'Access was not granted',
    'Nothing was connected and nothing was changed. Begin again if that was not what you meant.',
  ],
  approval_requested: [
    'An owner has to approve it',
    'You may not install the application for this account, so its owners were asked to. Begin again in the settings of your organization once they have approved it.',
  ],
  exchange_failed: [
    'The provider did not accept the connection',
    'Its code may have expired, or the application of this server is not set up right there. Begin again; if it stays, tell whoever runs this server.',
  ],
  provider_unavailable: [
    'The provider does not answer',
    'Nothing was connected. Begin again in some minutes.',
  ],
  account_taken: [
    'Another organization has this account',
    'An account of the provider belongs to one organization of this server. Disconnect it there first, or choose another one.',
  ],
  other_account: [
    'Another account is connected',
    'Disconnect it in the settings of your organization first, then connect the other one.',
  ],
  account_mismatch: [
    'This installation is not yours to connect',
    'You can connect installations that you administer. Choose one of those, or ask whoever administers it.',
  ],
  nothing_granted: [
    'Nothing was granted',
    'The account reaches no site that could be connected. Use an account that does.',
  ],
}

/** Returns the page for a way back that led nowhere: one code, and no text of the provider. */
export function renderCallbackPage(refusal: CallbackRefusal, provider: string): string {
  const [named, text] = texts[refusal]
  const title = named.replace('{provider}', provider)
  return renderDocumentPage({
    title: `Signalbox: ${title}`,
    content: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><code>${refusal}</code></p>
<p><a href="/">Go to Signalbox</a></p>`,
  })
}
