import { html } from './answers.ts'
import { markup, renderPage, type Markup } from './page.ts'
import type { Answer } from './route.ts'

/** Describes a commit as a page shows it. */
export interface ShownCommit {
  /** Example: `acme/shop`. */
  readonly repository: string
  readonly sha: string
  /** Holds the whole message. */
  readonly message: string
  readonly author: string
  readonly at: Date
}

/** Returns the page of a commit. */
export function showCommit({ repository, sha, message, author, at }: ShownCommit): Answer {
  const [title = '', ...rest] = message.split('\n')
  const time = at.toISOString()
  const content = markup`<p>${repository}, <code>${sha}</code></p>
<p>${author}, <time datetime="${time}">${time}</time></p>
<p>${rest.join('\n').trim()}</p>`
  return html(renderPage(title, content))
}

/** Returns the page that compares two commits. `commits` are those that the second has and the first has not, newest first. */
export function showComparison(
  repository: string,
  commits: readonly (Pick<ShownCommit, 'sha' | 'message'> & { readonly url: string })[],
): Answer {
  const lines = commits.map(
    ({ sha, message, url }): Markup =>
      markup`<li><a href="${url}"><code>${sha.slice(0, 8)}</code></a> ${message.split('\n')[0]}</li>`,
  )
  const content = lines.length === 0 ? markup`<p>No commits.</p>` : markup`<ul>${lines}</ul>`
  return html(renderPage(`Compare commits of ${repository}`, content))
}

/** Describes a run of a pipeline as a page shows it. */
export interface ShownRun {
  readonly repository: string
  readonly title: string
  readonly ref: string
  readonly sha: string
  /** Holds the address of the commit's page. */
  readonly commitUrl: string
  /** Holds the state, in the words of the host. */
  readonly status: string
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Returns the page of a run. */
export function showRun(run: ShownRun): Answer {
  const { repository, title, ref, sha, commitUrl, status, inputs } = run
  const rows = Object.entries(inputs).map(
    ([name, value]): Markup => markup`<dt>${name}</dt><dd><code>${String(value)}</code></dd>`,
  )
  const content = markup`<p>${repository}, <code>${ref}</code> at <a href="${commitUrl}"><code>${sha.slice(0, 8)}</code></a></p>
<p>${status.replaceAll('_', ' ')}</p><dl>${rows}</dl>`
  return html(renderPage(title, content))
}

/** Describes an issue as a page shows it. */
export interface ShownIssue {
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly state: string
  readonly author: string
  readonly assignee: string | undefined
}

/** Returns the page of an issue. */
export function showIssue({
  repository,
  number,
  title,
  state,
  author,
  assignee = 'nobody',
}: ShownIssue): Answer {
  const content = markup`<p>${repository}#${number}, ${state}</p>
<p>Opened by ${author}, assigned to ${assignee}</p>`
  return html(renderPage(title, content))
}

/** Returns the page of an address that the sandbox has no page for, or that does not exist. */
export function showNothing(title: string): Answer {
  const content = markup`<p>The sandbox has pages for commits, comparisons, runs and issues, and no others.</p>`
  return html(renderPage(title, content), 404)
}
