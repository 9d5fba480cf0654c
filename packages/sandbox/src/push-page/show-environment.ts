import { html } from '../http/answers.ts'
import { markup, renderPage } from '../http/page.ts'
import type { Answer } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'
import { stateOf } from '../stage/push.ts'

/** Returns the page of the deployed shop: it shows the live commit. */
export function showEnvironment({ stage }: Sandbox, environment: string): Answer {
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
