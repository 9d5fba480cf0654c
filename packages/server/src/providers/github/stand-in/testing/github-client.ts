import type { Sandbox } from '../../../../../../sandbox/src/sandbox.ts'
import type { GithubApp, GithubInstallation } from '../state.ts'
import { signAppJwt } from './sign-app-jwt.ts'

export interface Asked {
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface GithubAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Asks the pretended GitHub over HTTP. */
export interface GithubClient {
  /** Example: `api('GET /app', { token: jwt() })`. */
  api(request: string, asked?: Asked): Promise<GithubAnswer>
  /** Sends a form to a page and follows no redirect. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Response>
  open(path: string): Promise<Response>
  /** The app's own token. */
  jwt(app?: GithubApp, claims?: Readonly<Record<string, unknown>>): string
  installationToken(installation: GithubInstallation, body?: unknown): Promise<string>
}

export function createGithubClient(sandbox: Sandbox): GithubClient {
  const { githubApi, githubWeb } = sandbox.addresses
  const jwt: GithubClient['jwt'] = (app = sandbox.github.app, claims = {}) =>
    signAppJwt(app, sandbox.clock.now(), claims)
  const api: GithubClient['api'] = async (request, { token, body, headers } = {}) => {
    const [method = 'GET', path = ''] = request.split(' ')
    const response = await fetch(`${githubApi}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    }
  }
  return {
    api,
    jwt,
    submit: (path, fields) =>
      fetch(`${githubWeb}${path}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(fields),
      }),
    open: (path) => fetch(`${githubWeb}${path}`, { redirect: 'manual' }),
    async installationToken({ id, appId }, body = {}) {
      const app = sandbox.github.state.apps.get(appId)
      const answer = await api(`POST /app/installations/${id}/access_tokens`, {
        token: jwt(app),
        body,
      })
      return (answer.body as { token: string }).token
    },
  }
}
