import { escapeHtml, renderDocumentPage } from '../../http/answers/document-page.ts'
import type { IntegrationKind } from '@signalbox/contract/rest'
import { integrationPage } from '../integration-page.ts'
import type { CallbackRejection } from './finish-authorization.ts'

/** Says what each rejection means and what to do, to the person whose browser came back. */
const texts: Readonly<Record<CallbackRejection, readonly [title: string, text: string]>> = {
  state_invalid: [
    'This link doesn’t belong to a connection',
    'The address was changed on the way, or nobody started to connect. Start again on the integration’s page.',
  ],
  state_expired: [
    'That took too long',
    'A connection has to be finished within ten minutes. Start again on the integration’s page.',
  ],
  state_used: [
    'This link was already used',
    'The page was loaded twice, or the connection is finished. Check the integration’s page. If it isn’t connected there, start again.',
  ],
  session_changed: [
    'This browser did not start the connection',
    'You are signed out, signed in as another person, or use another browser. Nothing was stored. Sign in as the person who started, then start again.',
  ],
  role_changed: [
    'You may no longer connect this organization',
    'Only admins and owners can connect it. Nothing was stored. Ask one of them. If your account at the provider still lists the application, remove it there.',
  ],
  provider_mismatch: [
    'The answer comes from another provider',
    'Start again on the integration’s page.',
  ],
  changed_elsewhere: [
    '{provider} has saved it',
    'If Signalbox is already connected, it applies the change automatically. If it isn’t, connect it on the integration’s page.',
  ],
  provider_denied: [
    'Access was not granted',
    'Nothing was connected or changed. If you didn’t mean to cancel, start again.',
  ],
  approval_requested: [
    'An owner has to approve it',
    'You may not install the application for this account, so its owners received a request. Once they have approved it, start again on the integration’s page.',
  ],
  granted_otherwise: [
    'You have authorized this application before',
    'You gave it other rights then, and the provider keeps those. Nothing was connected. Remove the application in your settings at the provider, then start again.',
  ],
  exchange_failed: [
    'The provider did not accept the connection',
    'The code may have expired, or the application of this server may be set up incorrectly there. Start again. If that fails too, tell an operator of this server.',
  ],
  provider_unavailable: [
    'The provider is not responding',
    'Nothing was connected. Start again in a few minutes.',
  ],
  account_taken: [
    'This account belongs to another organization',
    'Only one organization of this server can connect an account. Disconnect it there first, or choose another account.',
  ],
  other_account: [
    'Another account is connected',
    'Disconnect it on the integration’s page first, then connect the other one.',
  ],
  account_mismatch: [
    'You can’t connect this account',
    'You can connect accounts that you administer. Choose one of those, or ask an administrator of this one.',
  ],
  nothing_granted: [
    'Nothing was granted',
    'The account has access to no site. Use an account that has access to one.',
  ],
  account_unnamed: [
    'The provider did not say which account you chose',
    'The application of this server lacks a setting at the provider. Nothing was connected. Ask an operator of this server to switch it on: the guide of the provider names it. Then start again.',
  ],
}

/** Returns the page for a way back that led nowhere: one code, and no text of the provider. */
export function renderCallbackPage(
  rejection: CallbackRejection,
  kind: IntegrationKind,
  provider: string,
): string {
  const [named, text] = texts[rejection]
  const title = named.replace('{provider}', provider)
  return renderDocumentPage({
    title: `Signalbox: ${title}`,
    content: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><code>${rejection}</code></p>
<p><a href="${integrationPage(kind)}">Back to the integration</a></p>`,
  })
}
