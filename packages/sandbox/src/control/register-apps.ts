import { json } from '../http/answers.ts'
import { readJson } from '../http/fields.ts'
import type { Answer, SandboxRequest } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Sets the addresses of the product at each provider: redirects and webhooks; and for the pipelines of the shop, the
 * address of their reports. Missing ones stay as they are.
 */
export async function registerApps(request: SandboxRequest, sandbox: Sandbox): Promise<Answer> {
  const { discord, forgejo, github, gitlab, jira, linear, slack, stage } = sandbox
  const { github: ofGithub, gitlab: ofGitlab, forgejo: ofForgejo, ...others } = readJson(request)
  const { discord: ofDiscord, jira: ofJira, linear: ofLinear, slack: ofSlack, pipelines } = others
  registerGithub(fieldsOf(ofGithub), github)
  const { redirectUris: ofApplication } = fieldsOf(ofGitlab)
  if (Array.isArray(ofApplication)) gitlab.app.redirectUris = ofApplication.map(String)
  const { redirectUris: ofInstance } = fieldsOf(ofForgejo)
  if (Array.isArray(ofInstance)) forgejo.app.redirectUris = ofInstance.map(String)
  const { redirectUris: uris } = fieldsOf(ofJira)
  if (Array.isArray(uris)) jira.app.redirectUris = uris.map(String)
  registerLinear(fieldsOf(ofLinear), linear)
  const { redirectUris, eventsUrl } = fieldsOf(ofSlack)
  if (Array.isArray(redirectUris)) slack.app.redirectUris = redirectUris.map(String)
  if (typeof eventsUrl === 'string') await slack.setEventsUrl(eventsUrl)
  await registerDiscord(fieldsOf(ofDiscord), discord)
  const { url, organization, token } = fieldsOf(pipelines)
  if (typeof url === 'string' && typeof organization === 'string') {
    stage.variables = { url, organization, ...(typeof token === 'string' && { token }) }
  }
  return json({ registered: true })
}

function registerGithub(
  { callbackUrls, webhookUrl, redirectsOnUpdate }: Fields,
  { app }: Sandbox['github'],
): void {
  if (Array.isArray(callbackUrls)) app.callbackUrls = callbackUrls.map(String)
  if (typeof webhookUrl === 'string') app.webhookUrl = webhookUrl
  if (typeof redirectsOnUpdate === 'boolean') app.redirectsOnUpdate = redirectsOnUpdate
}

async function registerDiscord(
  { redirectUris, eventsUrl }: Fields,
  { app, events }: Sandbox['discord'],
): Promise<void> {
  if (Array.isArray(redirectUris)) app.redirectUris = redirectUris.map(String)
  if (typeof eventsUrl === 'string') await events.setUrl(eventsUrl)
}

function registerLinear({ redirectUris, webhookUrl }: Fields, { app }: Sandbox['linear']): void {
  if (Array.isArray(redirectUris)) app.redirectUris = redirectUris.map(String)
  if (typeof webhookUrl === 'string') app.webhookUrl = webhookUrl
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
