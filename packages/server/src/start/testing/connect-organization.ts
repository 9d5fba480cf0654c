import { integrationKinds, type IntegrationKind } from '@signalbox/contract/rest'
import { visit, type Sandbox } from '@signalbox/sandbox'

/** Names the providers that each service of the tests knows. */
const usualProviders = ['github', 'jira', 'slack']

/** Returns what a service is started with to find the providers in the sandbox. */
export function sandboxVariables(sandbox: Sandbox): Readonly<Record<string, string>> {
  return {
    SIGNALBOX_VERCEL_API_URL: sandbox.addresses.vercelApi,
    ...sandbox.settingsOf(usualProviders),
  }
}

/** Registers the application of a service at the pretended providers, as whoever runs the service does once. */
export function registerAt(sandbox: Sandbox, apiUrl: string): Promise<void> {
  return sandbox.register(apiUrl, usualProviders)
}

/** An organization as its owner sees it. */
export interface ConnectedOrganization {
  readonly orgId: string
  /** The cookie of its owner. */
  readonly session: string
  /** Asks as the owner, who is signed in. Example: `GET /deployments`, below the organization. Throws what is refused. */
  readonly ask: <Answer>(request: string, body?: object) => Promise<Answer>
  /**
   * Goes through the pages of a provider and comes back. Answers where the browser ends up. `at`: the kind in the address at which it
   * comes back, where another provider's application is used.
   */
  readonly connect: (
    kind: IntegrationKind,
    provider?: Asked,
    choices?: Choices,
    at?: IntegrationKind,
  ) => Promise<{ readonly status: number; readonly location: string }>
  /** Goes to a provider and allows what it asks for. Answers what the browser would come back with. */
  readonly goAndAllow: (
    kind: IntegrationKind,
    provider?: Asked,
    choices?: Choices,
    at?: IntegrationKind,
  ) => Promise<Return>
  /** Comes back from a provider. */
  readonly comeBack: (back: Return & { readonly method?: string }) => Promise<Response>
}

/** Names a provider, and how much access it is asked for. Default: the usual. */
type Asked = string | { readonly provider: string; readonly level: 'read' | 'full' }

/** Holds what a person chooses on a provider's pages, by the names of fields. Default: what the pages propose. */
type Choices = Readonly<Record<string, string>>

/** A browser on its way back from a provider. */
export interface Return {
  readonly kind: string
  readonly query: URLSearchParams
  /** Name -> value. */
  readonly cookies: Readonly<Record<string, string>>
}

const owner = {
  name: 'Ada',
  email: 'ada@example.com',
  password: 'a password of the tests, long enough',
  organizationName: 'Acme',
}

/** Sets a fresh service up, as a person does it: by the link, with a password, and signed in from then on. */
export async function setUpOrganization(
  apiUrl: string,
  setupUrl: string | undefined,
): Promise<ConnectedOrganization> {
  const token = /#token=(.+)$/.exec(setupUrl ?? '')?.[1] ?? ''
  const answer = await fetch(`${apiUrl}/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: apiUrl },
    body: JSON.stringify({ token, ...owner }),
  })
  const made = (await answer.json()) as { readonly organization: { readonly id: string } }
  if (!answer.ok) throw new Error(`The set-up was refused: ${JSON.stringify(made)}`)
  return openOrganization({ apiUrl, orgId: made.organization.id, session: cookieOf(answer) })
}

/** Adds an organization of somebody who is signed in: `session` is the cookie that says so. */
export async function addOrganization(
  { apiUrl, session }: { readonly apiUrl: string; readonly session: string },
  name: string,
): Promise<ConnectedOrganization> {
  const answer = await fetch(`${apiUrl}/organizations`, {
    method: 'POST',
    headers: {
      cookie: session,
      origin: apiUrl,
      'x-requested-by': 'dashboard',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name }),
  })
  if (!answer.ok) throw new Error(`${name} was not added: ${await answer.text()}`)
  const { id } = (await answer.json()) as { readonly id: string }
  return openOrganization({ apiUrl, orgId: id, session })
}

/** An organization that is there already, for somebody who is signed in: `session` is the cookie that says so. */
export function openOrganization({
  apiUrl,
  orgId,
  session,
}: {
  readonly apiUrl: string
  readonly orgId: string
  readonly session: string
}): ConnectedOrganization {
  const send = (request: string, body: object | undefined, cookie: string) => {
    const [method = 'GET', path = ''] = request.split(' ')
    return fetch(`${apiUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie,
        origin: apiUrl,
        'x-requested-by': 'dashboard',
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const ask = async (request: string, body?: object, cookie = session) => {
    const answered = await send(request.replace(' ', ` /organizations/${orgId}`), body, cookie)
    if (!answered.ok) {
      throw new Error(`${request}: ${answered.status} ${await answered.text()}`)
    }
    return answered
  }
  const goAndAllow: ConnectedOrganization['goAndAllow'] = async (
    kind,
    provider,
    choices,
    at = kind,
  ) => {
    const query = new URLSearchParams(typeof provider === 'string' ? { provider } : provider)
    const begun = await ask(`GET /integrations/${kind}/oauth/authorize?${query}`)
    const { url } = (await begun.json()) as { readonly url: string }
    const back = await visit(url, 'allow', `${apiUrl}${callbackOf(at)}`, choices)
    return { kind: at, query: back, cookies: { ...pairOf(session), ...pairOf(cookieOf(begun)) } }
  }
  const comeBack: ConnectedOrganization['comeBack'] = ({
    kind,
    query,
    cookies,
    method = 'GET',
  }) => {
    const cookie = Object.entries(cookies).map((pair) => pair.join('='))
    return send(`${method} ${callbackOf(kind)}?${query}`, undefined, cookie.join('; '))
  }
  return {
    orgId,
    session,
    async ask<Answer>(request: string, body?: object) {
      const answered = await ask(request, body)
      return (answered.status === 204 ? undefined : await answered.json()) as Answer
    },
    goAndAllow,
    comeBack,
    async connect(kind, provider, choices, at) {
      const back = await comeBack(await goAndAllow(kind, provider, choices, at))
      return { status: back.status, location: back.headers.get('location') ?? '' }
    },
  }
}

function callbackOf(kind: string): string {
  return `/integrations/${kind}/oauth/callback`
}

function pairOf(cookie: string): Record<string, string> {
  const [name = '', value = ''] = cookie.split('=')
  return { [name]: value }
}

function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Describes access to Slack with which a message is looked for whose answer was lost: by what is killed, for example. */
export const slackWithHistory = { provider: 'slack', level: 'full' } as const

/**
 * Connects GitHub, Jira and Slack, as a member would on one afternoon. The server may know others as well. `chat`: with how much access.
 */
export async function connectAll(
  { connect }: ConnectedOrganization,
  { chat = 'slack' }: { readonly chat?: Asked } = {},
): Promise<void> {
  const chosen = { codehost: 'github', tracker: 'jira', chat }
  for (const kind of integrationKinds) {
    const { status, location } = await connect(kind, chosen[kind])
    if (status !== 303) throw new Error(`${kind} was not connected: ${status} ${location}`)
  }
}
