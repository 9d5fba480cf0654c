import { createHash, randomBytes } from 'node:crypto'
import { openService, type OpenService } from '../../../../test/testing/open-service.ts'

/** An organization with development, staging and production, in a whole service on a real PostgreSQL. */
export interface RealServer {
  readonly url: string
  /** The address that applications read. */
  readonly configUrl: string
  readonly orgId: string
  readonly slug: string
  /** A server key of the organization. */
  readonly token: string
  /** The variables of the operator, who is shown no secrets by that token, for this organization. */
  readonly asOperator: Readonly<Record<'SIGNALBOX_TOKEN' | 'SIGNALBOX_ORGANIZATION', string>>
  /** A browser key of the organization. */
  readonly browserKey: string
  /** Calls an endpoint below the organization as its owner. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Signs a new member in to a browser. */
  openBrowser(role?: 'admin' | 'developer' | 'viewer'): Promise<MemberBrowser>
}

/** The browser of a member who has just typed the password. */
export interface MemberBrowser {
  readonly email: string
  /** Makes a personal access token. */
  createToken(): Promise<string>
  /** Makes a token for an assistant. */
  createAgentToken(name: string): Promise<string>
  /** Says what the member thinks of the first revision of a change request. */
  review(number: number, verdict: 'approve' | 'decline', text?: string): Promise<void>
  /** Ends a proof. */
  stopProof(id: string, as: 'proven' | 'tell'): Promise<void>
  /** Says what becomes of a deployment that waits. */
  decide(id: string, verb: 'approve' | 'override' | 'refuse', comment?: string): Promise<void>
  /** Claims the code on a screen, as the page does that the code is typed at, and answers it. Gives what the page shows. */
  answerDevice(screen: string, verb: 'approve' | 'deny'): Promise<{ readonly deviceName: string }>
}

let shared: Promise<OpenService> | undefined

/**
 * Adds an organization to the service of all test files of a worker, which ends with the worker: to start one and to end it takes
 * as long as many a test.
 */
export async function openRealServer(): Promise<RealServer> {
  const service = await (shared ??= openService())
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${service.apiUrl}/organizations${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.bootstrapToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const { id, slug } = await call<{ id: string; slug: string }>('POST', '', { name: 'Acme' })
  const found = await call<{ items: { name: string }[] }>('GET', `/${id}/environments`)
  for (const name of ['development', 'staging', 'production']) {
    if (found.items.some((each) => each.name === name)) continue
    await call('POST', `/${id}/environments`, { name, production: name === 'production' })
  }
  const keyOf = (kind: string) =>
    call<{ secret: string }>('POST', `/${id}/api-keys`, { name: kind, kind })
  return {
    url: service.apiUrl,
    configUrl: service.configUrl,
    orgId: id,
    slug,
    token: (await keyOf('m2m')).secret,
    asOperator: { SIGNALBOX_TOKEN: service.bootstrapToken, SIGNALBOX_ORGANIZATION: id },
    browserKey: (await keyOf('b2m')).secret,
    call: (method, path, body) => call(method, `/${id}${path}`, body),
    openBrowser: (role = 'developer') => openBrowser(service, id, role),
  }
}

async function openBrowser(
  service: OpenService,
  orgId: string,
  role: string,
): Promise<MemberBrowser> {
  const userId = `usr_${randomBytes(8).toString('hex')}`
  const email = `${userId}@example.com`
  const token = randomBytes(32).toString('base64url')
  const sql = (text: string, values: unknown[]) => service.database.asOwner(text, values)
  await sql('insert into users (id, email, name) values ($1, $2, $3)', [userId, email, 'Ada'])
  await sql('insert into members (org_id, user_id, role) values ($1, $2, $3)', [
    orgId,
    userId,
    role,
  ])
  await sql(
    `insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    [createHash('sha256').update(token).digest(), userId],
  )
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`${service.apiUrl}${path}`, {
      method: 'POST',
      headers: {
        cookie: `__Host-s=${token}`,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-requested-by': 'signalbox',
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  return {
    email,
    async createToken() {
      const made = (await (await ask('/me/tokens', { name: 'laptop', manages: true })).json()) as {
        secret: string
      }
      return made.secret
    },
    async createAgentToken(name) {
      const path = `/organizations/${orgId}/agent-tokens`
      const made = (await (await ask(path, { name })).json()) as { secret: string }
      return made.secret
    },
    async review(number, verdict, text = '') {
      const path = `/organizations/${orgId}/change-requests/${number}/reviews`
      await ask(path, { revision: 1, verdict, text })
    },
    async stopProof(id, as) {
      await ask(`/organizations/${orgId}/proofs/${id}/stop`, { as })
    },
    async decide(id, verb, comment) {
      const path = `/organizations/${orgId}/gate-decisions/${id}/${verb}`
      await ask(path, comment === undefined ? {} : { comment })
    },
    async answerDevice(screen, verb) {
      const userCode = /\b[B-Z]{4}-[B-Z]{4}\b/.exec(screen)?.[0] ?? ''
      const shown = (await (await ask('/device/claim', { userCode })).json()) as {
        deviceName: string
      }
      await ask(`/device/${verb}`, { userCode })
      return shown
    },
  }
}
