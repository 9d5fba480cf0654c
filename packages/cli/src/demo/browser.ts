import { CliError } from '../terminal/cli-error.ts'

/** As much of a browser as it takes to set a service up and to say yes on a page. */
export interface Browser {
  /** Asks an endpoint of the service as its own pages do. @throws {CliError} `demo_refused` */
  call(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>>
  /** Opens an address, allows what its pages ask for, and goes on until the service has answered. Answers where that is. */
  allow(url: string): Promise<string>
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

/** More pages than any consent has. */
const pagesMax = 10
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A browser that has been nowhere yet; the cookies of `service` alone are kept. */
export function openBrowser(service: string): Browser {
  const cookies = new Map<string, string>()
  const fetchPage = async (url: URL, init: Sent = {}): Promise<Response> => {
    const isOurs = url.origin === new URL(service).origin
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { ...init.headers, ...(isOurs && cookie !== '' ? { cookie } : {}) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    if (isOurs) keep(cookies, response)
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
    async allow(start) {
      let url = new URL(start)
      let response = await fetchPage(url)
      for (let pages = 0; pages < pagesMax; pages += 1) {
        const location = response.headers.get('location')
        if (redirects.has(response.status) && location !== null) {
          const next = new URL(location, url)
          // The way back has ended: what comes now is a page for people.
          if (url.origin === new URL(service).origin) return next.href
          url = next
          response = await fetchPage(url)
          continue
        }
        const page = await response.text()
        const form = response.ok ? readForm(page, url) : undefined
        if (form === undefined) throw refused(url.pathname, response.status, page)
        url = form.action
        response = await fetchPage(url, { method: 'POST', body: form.fields })
      }
      throw refused(url.pathname, 0, 'The pages lead nowhere.')
    },
  }
}

function keep(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) cookies.delete(name)
    else cookies.set(name, value)
  }
}

interface Form {
  readonly action: URL
  readonly fields: URLSearchParams
}

/** The form of a page as it is sent by whoever changes nothing and allows it. */
function readForm(page: string, at: URL): Form | undefined {
  const action = attributeOf(/<form[^>]*>/.exec(page)?.[0] ?? '', 'action')
  if (action === undefined) return undefined
  const fields = new URLSearchParams({ decision: 'allow' })
  for (const [tag] of page.matchAll(/<input[^>]*>/g)) {
    const isSent = attributeOf(tag, 'type') === 'hidden' || / checked[ >]/.test(tag)
    if (isSent) fields.set(attributeOf(tag, 'name') ?? '', attributeOf(tag, 'value') ?? '')
  }
  for (const [select] of page.matchAll(/<select[^>]*>[\s\S]*?<\/select>/g)) {
    fields.set(attributeOf(select, 'name') ?? '', firstOption(select))
  }
  return { action: new URL(action, at), fields }
}

function firstOption(select: string): string {
  const [, value, text = ''] = /<option(?: value="([^"]*)")?[^>]*>([^<]*)/.exec(select) ?? []
  return unescapeHtml(value ?? text)
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function refused(what: string, status: number, text: string): CliError {
  const shown = text.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return new CliError('failure', 'demo_refused', `The demo came no further: ${what} was refused.`, {
    details: [`${status} ${shown.trim().slice(0, 300)}`],
    hint: 'Repeat with --verbose, and tell us what it says.',
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
