import { escapeHtml, renderDocumentPage } from '../../http/answers/document-page.ts'
import type { RegistrationForm } from '../../providers/application-registration.ts'
import { registrationPage, type RegisteringProvider } from '../../providers/find-provider.ts'
import { integrationPage } from '../integration-page.ts'
import type { RegistrationRejection } from './finish-registration.ts'

/** Holds what the page with the button says. */
export interface BeginPage extends RegistrationForm {
  readonly organization: string | undefined
  /** Holds the name of an organization as a person entered it. */
  readonly entered: string
  /** Says what is wrong with that name, which is then left out. */
  readonly organizationAdvice: string | undefined
  /** `true`: this server has an application at the provider, whose place the new one takes. */
  readonly isReplacement: boolean
  /** `true`: the settings of this server name an application, which then stays in force. */
  readonly isOfSettings: boolean
  /** Lists what is so at this provider alone. */
  readonly notes: readonly string[]
}

/** Renders the page with the button that leads to the provider, and the choice of the account that will own the app. */
export function renderBeginPage(registering: RegisteringProvider, page: BeginPage): string {
  const { provider } = registering
  const { displayName } = provider
  const { action, manifest, organization, isReplacement, isOfSettings } = page
  const back = integrationPage(provider.kind)
  const there = escapeHtml(displayName)
  const owner =
    organization === undefined
      ? `your own account on ${there}`
      : `the organization <code>${escapeHtml(organization)}</code> on ${there}`
  const notes = [
    ...(isReplacement
      ? ['This replaces the current app. Organizations that use it have to connect again.']
      : []),
    ...(isOfSettings
      ? ['The settings of this server name an app, which takes precedence over this one.']
      : []),
    ...page.notes,
  ]
  return renderDocumentPage({
    title: `Signalbox: register the ${displayName} App`,
    content: `<h1>Register the ${there} App</h1>
<p>${there} will show the permissions, create the app and send its keys here. They are stored encrypted.</p>
<p>It will belong to ${owner}.</p>
<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(manifest)}">
<button>Register at ${there}</button>
</form>
${renderOwnerForm(registering, page)}
<p><a href="${back}">Back to the integration</a></p>`,
  })
}

/** Renders the field that names an organization at the provider. When it is empty, the person's own account owns the app. */
function renderOwnerForm(
  { provider }: RegisteringProvider,
  { entered, organizationAdvice }: BeginPage,
): string {
  const advice =
    organizationAdvice === undefined ? '' : `<p role="alert">${escapeHtml(organizationAdvice)}</p>`
  return `<form class="further" action="${registrationPage(provider)}">
<label>To register it for an organization on ${escapeHtml(provider.displayName)}, enter its name
<input name="organization" value="${escapeHtml(entered)}" autocomplete="off"></label>
${advice}
<button>Change the owner</button>
</form>`
}

/** Lists what each rejection means and what to do. `{provider}` stands for its name, `{time}` for how long it waits. */
const rejections: Readonly<
  Record<RegistrationRejection | 'step_up_required', readonly [title: string, text: string]>
> = {
  signed_out: ['Sign in first', 'Sign in as an owner of the first organization of this server.'],
  step_up_required: [
    'Confirm your password first',
    'You entered it more than ten minutes ago. Sign out and in again, then come back.',
  ],
  not_operator: [
    'Only an operator of this server registers its apps',
    'Nothing was stored. Ask an owner of the first organization on this server, and delete the new app on {provider} if it exists.',
  ],
  state_invalid: [
    'This browser did not start this registration',
    'Another browser or person started it, or the link was changed. Start again.',
  ],
  state_expired: [
    'That took too long',
    'A registration has to be finished within {time}. Start again.',
  ],
  state_used: [
    'This link was already used',
    'The page was loaded twice, so the app may already be registered. If it isn’t, start again.',
  ],
  nothing_made: ['{provider} created no app', 'Nothing was changed. Start again.'],
  conversion_failed: [
    '{provider} did not send the app’s keys',
    'It sends them only once. Delete the new app on {provider} if it exists, and start again.',
  ],
  provider_unavailable: [
    '{provider} is not responding',
    'Nothing was stored. Delete the new app on {provider} if it exists, and start again in a few minutes.',
  ],
}

/** Names how a registration led nowhere, as a page says it. */
export type RegistrationOutcome = keyof typeof rejections

/** Renders the page of a rejection: one code, and no text of the provider. */
export function renderRejectionPage(
  { provider, registration }: RegisteringProvider,
  rejection: RegistrationOutcome,
): string {
  const say = (text: string) =>
    text
      .replaceAll('{provider}', provider.displayName)
      .replaceAll('{time}', describeTime(registration.lifetimeMs))
  const [title, text] = rejections[rejection]
  const isSignIn = rejection === 'signed_out' || rejection === 'step_up_required'
  const next = isSignIn
    ? '<a href="/">Sign in</a>'
    : `<a href="${registrationPage(provider)}">Start again</a>, or <a href="${integrationPage(provider.kind)}">go back to the integration</a>`
  return renderDocumentPage({
    title: `Signalbox: ${say(title)}`,
    content: `<h1>${escapeHtml(say(title))}</h1>
<p>${escapeHtml(say(text))}</p>
<p><code>${rejection}</code></p>
<p>${next}</p>`,
  })
}

function describeTime(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes === 60 ? 'an hour' : `${minutes} minutes`
}

/** Renders what next, once the application is there. `name`: as the provider calls it. */
export function renderRegisteredPage({ provider }: RegisteringProvider, name: string): string {
  const { displayName } = provider
  const there = escapeHtml(displayName)
  return renderDocumentPage({
    title: `Signalbox: the ${displayName} App is registered`,
    content: `<h1>The ${there} App is registered</h1>
<p>It is called <code>${escapeHtml(name)}</code>, and every node of this server uses it.</p>
<p>Next, an admin of each organization connects it to an account on ${there}.</p>
<p><a href="${integrationPage(provider.kind)}">Continue in Signalbox</a></p>`,
  })
}
