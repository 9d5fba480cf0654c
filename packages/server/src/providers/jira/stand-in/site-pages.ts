import { html, redirect } from '../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage } from '../../../../../sandbox/src/http/page.ts'
import { route, type Answer, type Route } from '../../../../../sandbox/src/http/route.ts'
import { siteUrl } from './site-addresses.ts'
import { findIssue, type JiraIssue, type JiraState } from './state.ts'

const avatar =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#7a4b00"/></svg>'

/** Creates the pages of a site: one for each issue. */
export function sitePages(jira: JiraState): Route[] {
  return [
    route('GET /avatar.svg', () => ({
      status: 200,
      headers: { 'content-type': 'image/svg+xml' },
      body: avatar,
    })),
    route('GET /:site/browse/:key', ({ params, origin }) => {
      const key = params['key'] ?? ''
      const site = Object.values(jira.sites).find(({ name }) => name === params['site'])
      const issue = site && findIssue(site, key)
      if (site === undefined || issue === undefined) return showMissing(key)
      if (issue.key !== key) return redirect(`${siteUrl(origin, site)}/browse/${issue.key}`)
      return showIssue(issue)
    }),
  ]
}

function showMissing(key: string): Answer {
  const text = markup`<p>It does not exist, or you do not have permission to see it.</p>`
  return html(renderPage(`There is no issue ${key}`, text), 404)
}

function showIssue(issue: JiraIssue): Answer {
  const content = markup`<p>${issue.project.name}, <code>${issue.key}</code></p>
<dl>
<dt>Type</dt><dd>${issue.type}</dd>
<dt>Status</dt><dd>${issue.status}</dd>
<dt>Priority</dt><dd>${issue.priority}</dd>
<dt>Assignee</dt><dd>${issue.assignee?.displayName ?? 'Unassigned'}</dd>
</dl>
${issue.remoteLinks.map((link) => showLink(link.object))}`
  return html(renderPage(`${issue.key} ${issue.summary}`, content))
}

function showLink(object: unknown) {
  const { title, url } =
    typeof object === 'object' ? { title: '', url: '', ...object } : { title: '', url: '' }
  // Any client with the scope may write a link, so only web addresses become links here.
  return /^https?:/.test(url)
    ? markup`<p>Links to <a href="${url}">${title}</a></p>`
    : markup`<p>Links to ${title}</p>`
}
