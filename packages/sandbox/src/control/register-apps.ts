import { json } from '../http/answers.ts'
import { readJson } from '../http/fields.ts'
import type { Answer, SandboxRequest } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Sets what whoever registers an application enters at the provider: where people are led back to, and where webhooks are
 * sent; and for the pipelines of the shop, where they report to. What is left out stays.
 */
export async function registerApps(request: SandboxRequest, sandbox: Sandbox): Promise<Answer> {
  const { github, jira, slack, stage } = sandbox
  const { github: ofGithub, jira: ofJira, slack: ofSlack, pipelines } = readJson(request)
  const given = fieldsOf(ofGithub)
  if (Array.isArray(given['callbackUrls'])) {
    github.app.callbackUrls = given['callbackUrls'].map(String)
  }
  if (typeof given['webhookUrl'] === 'string') github.app.webhookUrl = given['webhookUrl']
  if (typeof given['redirectsOnUpdate'] === 'boolean') {
    github.app.redirectsOnUpdate = given['redirectsOnUpdate']
  }
  const { redirectUris: uris } = fieldsOf(ofJira)
  if (Array.isArray(uris)) jira.app.redirectUris = uris.map(String)
  const { redirectUris, eventsUrl } = fieldsOf(ofSlack)
  if (Array.isArray(redirectUris)) slack.app.redirectUris = redirectUris.map(String)
  if (typeof eventsUrl === 'string') await slack.setEventsUrl(eventsUrl)
  const { url, organization } = fieldsOf(pipelines)
  if (typeof url === 'string' && typeof organization === 'string') {
    stage.variables = { url, organization }
  }
  return json({ registered: true })
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
