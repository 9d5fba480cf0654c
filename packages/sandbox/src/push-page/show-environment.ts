import { html } from '../http/answers.ts'
import { markup, renderPage } from '../http/page.ts'
import type { Answer } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'

/** Returns the page of the deployed shop: it shows the live commit. */
export function showEnvironment({ stage }: Sandbox, environment: string): Answer {
  const { repository } = stage.open()
  const live = [...repository.deployments.values()].findLast(
    (deployment) =>
      deployment.environment === environment &&
      deployment.statuses.some(({ state }) => state === 'success'),
  )
  const commit = repository.commits.get(live?.sha ?? '')
  if (commit === undefined) {
    return html(renderPage('Nothing is deployed here', markup`<p>${environment}</p>`), 404)
  }
  const content = markup`<p>This is <code>${environment}</code>, with the commit <code>${commit.sha.slice(0, 8)}</code>:</p>
<blockquote>${commit.message.split('\n')[0]}</blockquote>`
  return html(renderPage('The shop of Acme', content))
}
