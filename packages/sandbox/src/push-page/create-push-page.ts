import type { Answer, Route } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'
import { renderLive, renderPushPage } from './render-push-page.ts'
import { pushScript } from './push-script.ts'
import { pushStyle } from './push-style.ts'
import { showEnvironment } from './show-environment.ts'

/** Creates `/`, where a person makes a push and watches it, and `/shop/staging`, which shows what is live there. */
export function createPushPage(sandbox: () => Sandbox): Route[] {
  return [
    { method: 'GET', path: '/', handle: () => page(renderPushPage(sandbox())) },
    { method: 'GET', path: '/live', handle: () => page(renderLive(sandbox()).html) },
    {
      method: 'GET',
      path: '/shop/:environment',
      handle: ({ params }) => showEnvironment(sandbox(), params['environment'] ?? ''),
    },
    { method: 'GET', path: '/push.css', handle: () => file('text/css', pushStyle) },
    { method: 'GET', path: '/push.js', handle: () => file('text/javascript', pushScript) },
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
