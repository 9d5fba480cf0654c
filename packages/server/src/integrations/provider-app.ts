import { createPrivateKey } from 'node:crypto'
import type { BodyOf, IntegrationProvider, providerAppEndpoints } from '@signalbox/contract/rest'
import type { ProblemPlace } from '@signalbox/contract'
import { z } from 'zod'
import type { ProviderApps } from './provider-apps.ts'

/** How long a replaced webhook secret is good beside the new one. */
const previousSecretMs = 24 * 3600 * 1000

/** What checks that a request is of the provider, and what it replaced. */
const hook = {
  hookSecret: z.string().nullable(),
  previousSecret: z.object({ secret: z.string(), until: z.coerce.date() }).nullable(),
}
const client = { clientId: z.string(), clientSecret: z.string() }
const storedApp = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('github'),
    appId: z.string(),
    slug: z.string(),
    ...client,
    privateKey: z.string(),
    ...hook,
  }),
  z.object({ provider: z.literal('jira'), ...client }),
  z.object({ provider: z.literal('slack'), ...client, ...hook }),
])

/** An application as it is stored, once it was opened. */
export type StoredApp = z.output<typeof storedApp>
/** An application as somebody enters it. */
export type GivenApp = BodyOf<typeof providerAppEndpoints.saveProviderApp>

/** The text that is sealed. */
export function renderApp(app: StoredApp): string {
  return JSON.stringify(app)
}

/** @throws {Error} when the text is not of this version: its content is not repeated. */
export function parseApp(text: string): StoredApp {
  const parsed = storedApp.safeParse(readJson(text))
  if (!parsed.success) throw new Error('A stored application has another form')
  return parsed.data
}

/** The message of a parser's error holds the beginning of what it parsed. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type MergedApp =
  | { readonly app: StoredApp; readonly changed: readonly string[] }
  | { readonly places: readonly ProblemPlace[] }

/**
 * What is stored after `given` was entered. Secrets that were left out stay, if it is the same application: those of another
 * one would not fit.
 */
export function mergeApp(given: GivenApp, stored: StoredApp | undefined, now: Date): MergedApp {
  const same = stored !== undefined && isSameApp(given, stored) ? stored : undefined
  const places = [...missingSecrets(given, same), ...wrongKeys(given)]
  if (places.length > 0) return { places }
  const app = toStored(given, same, now)
  return { app, changed: changedFields(app, same) }
}

function isSameApp(given: GivenApp, stored: StoredApp): boolean {
  const isSameNumber =
    given.provider !== 'github' || (stored.provider === 'github' && stored.appId === given.appId)
  return given.provider === stored.provider && given.clientId === stored.clientId && isSameNumber
}

function missingSecrets(given: GivenApp, same: StoredApp | undefined): ProblemPlace[] {
  if (same !== undefined) return []
  const needed = given.provider === 'github' ? ['clientSecret', 'privateKey'] : ['clientSecret']
  return needed
    .filter((name) => Reflect.get(given, name) === undefined)
    .map((name) => ({
      pointer: `/${name}`,
      code: 'validation_failed',
      detail: 'Give it: none is stored of this application.',
    }))
}

function wrongKeys(given: GivenApp): ProblemPlace[] {
  if (given.provider !== 'github' || given.privateKey === undefined) return []
  if (isRsaKey(given.privateKey)) return []
  const detail = 'Give the private key of the App whole, as PEM: GitHub lets you download it.'
  return [{ pointer: '/privateKey', code: 'validation_failed', detail }]
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

function toStored(given: GivenApp, same: StoredApp | undefined, now: Date): StoredApp {
  const { clientId } = given
  const clientSecret = given.clientSecret ?? same?.clientSecret ?? ''
  if (given.provider === 'jira') return { provider: 'jira', clientId, clientSecret }
  const before = same === undefined || same.provider === 'jira' ? undefined : same
  if (given.provider === 'slack') {
    const hooks = replaceHookSecret(given.signingSecret, before, now)
    return { provider: 'slack', clientId, clientSecret, ...hooks }
  }
  const { appId, slug } = given
  const formerKey = same?.provider === 'github' ? same.privateKey : ''
  const privateKey = given.privateKey ?? formerKey
  const hooks = replaceHookSecret(given.webhookSecret, before, now)
  return { provider: 'github', appId, slug, clientId, clientSecret, privateKey, ...hooks }
}

type HookSecrets = Pick<Extract<StoredApp, { provider: 'slack' }>, 'hookSecret' | 'previousSecret'>

const noSecrets: HookSecrets = { hookSecret: null, previousSecret: null }

/** The provider goes on with the former secret until somebody enters the new one there. */
function replaceHookSecret(
  given: string | null | undefined,
  { hookSecret, previousSecret }: HookSecrets = noSecrets,
  now: Date,
): HookSecrets {
  if (given === undefined || given === hookSecret) return { hookSecret, previousSecret }
  if (given === null) return noSecrets
  if (hookSecret === null) return { hookSecret: given, previousSecret: null }
  const until = new Date(now.getTime() + previousSecretMs)
  return { hookSecret: given, previousSecret: { secret: hookSecret, until } }
}

/** Names only, for the audit log. */
function changedFields(app: StoredApp, before: StoredApp | undefined): string[] {
  return Object.entries(app)
    .filter(([name]) => name !== 'provider' && name !== 'previousSecret')
    .filter(([name, value]) => before === undefined || Reflect.get(before, name) !== value)
    .map(([name]) => name)
}

/** The application without the secret that was replaced; `undefined` when there was none. */
export function endPrevious(app: StoredApp): StoredApp | undefined {
  if (app.provider === 'jira' || app.previousSecret === null) return undefined
  return { ...app, previousSecret: null }
}

/** Which secrets are good at a moment, the one in force first. */
export function hookSecretsAt({ hookSecret, previousSecret }: HookSecrets, now: Date): string[] {
  if (hookSecret === null) return []
  const isOver = previousSecret === null || previousSecret.until <= now
  return isOver ? [hookSecret] : [hookSecret, previousSecret.secret]
}

/** The applications in force: those of the settings, and of the others what is stored. */
export function mergeApps(
  settings: ProviderApps,
  stored: readonly StoredApp[],
  now: Date,
): ProviderApps {
  const find = <P extends IntegrationProvider>(provider: P) =>
    stored.find((app): app is Extract<StoredApp, { provider: P }> => app.provider === provider)
  const [github, jira, slack] = [find('github'), find('jira'), find('slack')]
  return {
    github:
      settings.github ??
      (github && {
        appId: github.appId,
        slug: github.slug,
        clientId: github.clientId,
        clientSecret: github.clientSecret,
        privateKey: github.privateKey,
        webhookSecrets: hookSecretsAt(github, now),
      }),
    jira: settings.jira ?? (jira && { clientId: jira.clientId, clientSecret: jira.clientSecret }),
    slack:
      settings.slack ??
      (slack && {
        clientId: slack.clientId,
        clientSecret: slack.clientSecret,
        signingSecrets: hookSecretsAt(slack, now),
      }),
  }
}
