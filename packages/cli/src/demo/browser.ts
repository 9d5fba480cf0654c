import { CliError } from '../terminal/cli-error.ts'

/** Describes as much of a browser as the demo needs: calls with cookies, and returning from a provider's page. */
export interface Browser {
  /** Calls an endpoint of the service as its own pages do. @throws {CliError} `demo_refused` */
  call(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>>
  /**
   * Opens an address of the service that a provider redirected to, and expects it to redirect.
   *
   * @throws {CliError} `demo_refused`
   */
  comeBack(url: string): Promise<void>
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Creates a browser without cookies. It visits `service` alone. */
export function openBrowser(service: string): Browser {
  const cookies = new Map<string, string>()
  const fetchPage = async (url: URL, init: Sent = {}): Promise<Response> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { ...init.headers, ...(cookie !== '' && { cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    storeCookies(cookies, response)
    return response
  }
  return {
    async call(method, path, body) {
      const response = await fetchPage(new URL(path, service), {
        method,
        headers: {
          origin: new URL(service).origin,
          'x-requested-by': 'signalbox-demo',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw refused(`${method} ${path}`, response.status, text)
      const answer: unknown = text === '' ? {} : JSON.parse(text)
      return isRecord(answer) ? answer : {}
    },
    async comeBack(address) {
      const url = new URL(address)
      const response = await fetchPage(url)
      if (response.status === 303) return
      throw refused(url.pathname, response.status, await response.text())
    },
  }
}

function storeCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) cookies.delete(name)
    else cookies.set(name, value)
  }
}

function refused(what: string, status: number, text: string): CliError {
  const plainText = text
    .replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return new CliError(
    'failure',
    'demo_refused',
    `The demo can't continue: the service refused ${what}.`,
    {
      details: [`${status} ${plainText.trim().slice(0, 300)}`],
      advice: 'Repeat with --verbose, and report its output as an issue.',
    },
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
