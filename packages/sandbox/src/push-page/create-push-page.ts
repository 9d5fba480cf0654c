import { route, type Answer, type Route } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'
import { renderLive, renderPushPage } from './render-push-page.ts'
import { pushScript } from './push-script.ts'
import { pushStyle } from './push-style.ts'
import { html } from '../http/answers.ts'
import { markup, renderPage } from '../http/page.ts'
import { stateOf } from '../stage/push.ts'

/** Creates `/`, where a person makes a push and watches it, and `/shop/staging`, which shows what is live there. */
export function createPushPage(sandbox: () => Sandbox): Route[] {
  return [
    route('GET /', () => page(renderPushPage(sandbox()))),
    route('GET /live', () => page(renderLive(sandbox()).html)),
    route('GET /shop/:environment', ({ params }) =>
      showEnvironment(sandbox(), params['environment'] ?? ''),
    ),
    route('GET /push.css', () => file('text/css', pushStyle)),
    route('GET /push.js', () => file('text/javascript', pushScript)),
  ]
}

function page(body: string): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
    body,
  }
}

function file(type: string, body: string): Answer {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }
  return { status: 200, headers, body }
}

/** Returns the page of the deployed shop: it shows the live commit. */
function showEnvironment({ stage }: Sandbox, environment: string): Answer {
  const live = stage
    .pushes()
    .find((push) => push.environment === environment && stateOf(push) === 'success')
  const hosts = stage.hosts()
  const host = hosts.find(({ name }) => name === live?.host) ?? hosts[0]
  const commit = host?.findLive(environment)
  if (commit === undefined) {
    return html(renderPage('Nothing is deployed here', markup`<p>${environment}</p>`), 404)
  }
  const content = markup`<p>This is <code>${environment}</code>, with the commit <code>${commit.sha.slice(0, 8)}</code>:</p>
<blockquote>${commit.message.split('\n')[0]}</blockquote>`
  return html(renderPage('The shop of Acme', content))
}
