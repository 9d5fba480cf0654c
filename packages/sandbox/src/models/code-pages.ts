import { html } from '../http/answers.ts'
import { markup, renderPage, type Markup } from '../http/page.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import { findCommit, listCommits, type GitRepository } from './git.ts'

/** Describes a run of a pipeline as a page shows it. */
export interface ShownRun {
  readonly title: string
  readonly ref: string
  readonly sha: string
  /** Lists the states of its attempts, in the words of the host. */
  readonly attempts: readonly string[]
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Describes an issue as a page shows it. */
export interface ShownIssue<Person> {
  readonly title: string
  readonly state: string
  readonly author: Person
  readonly assignee: Person | undefined
}

/** Describes the pages of a code host that links of a product open. */
export interface CodePagesSettings<Person, Repository extends GitRepository<Person>> {
  /** Holds the path of a repository and where its runs are, such as `/:owner/:repo` and `actions/runs`. */
  readonly path: string
  readonly runs: string
  readonly find: (name: string) => Repository | undefined
  /** Returns the address of a repository, without the server's own. Example: `/github/acme/shop`. */
  readonly urlOf: (repository: Repository) => string
  readonly nameOf: (person: Person) => string
  readonly run: (repository: Repository, id: number) => ShownRun | undefined
  readonly issue: (repository: Repository, number: number) => ShownIssue<Person> | undefined
  readonly noSuchPage: () => Answer
}

type Show<Repository> = (repository: Repository, id: string) => Answer | undefined

/** Creates the pages of commits, comparisons, runs and issues. */
export function codePages<Person, Repository extends GitRepository<Person>>(
  settings: CodePagesSettings<Person, Repository>,
): Route[] {
  const { path, runs, find, urlOf, nameOf, noSuchPage } = settings
  const page = (kind: string, show: Show<Repository>) =>
    route(`GET ${path}/${kind}/:id`, ({ params: { owner, repo, id = '' } }) => {
      const repository = find(`${owner}/${repo}`)
      return (repository && show(repository, id)) ?? noSuchPage()
    })
  const commitLink = (repository: Repository, sha: string) =>
    markup`<a href="${urlOf(repository)}/commit/${sha}"><code>${sha.slice(0, 8)}</code></a> `
  return [
    page('commit', (repository, id) => {
      const commit = findCommit(repository, id)
      if (commit === undefined) return undefined
      const { sha, message, author, at, parents, modified } = commit
      const [title = '', ...rest] = message.split('\n')
      const time = at.toISOString()
      const content = markup`<p><code>${sha}</code></p>
<p>${nameOf(author)}, <time datetime="${time}">${time}</time></p>
<p>${rest.join('\n').trim()}</p>${listOf(modified.map((file) => markup`<code>${file}</code>`))}
<p>On top of ${parents.map((parent) => commitLink(repository, parent))}</p>`
      return html(renderPage(title, content))
    }),
    page('compare', (repository, id) => {
      const [base, head] = id.split(/\.{2,3}/).map((ref) => findCommit(repository, ref))
      if (base === undefined || head === undefined) return undefined
      const lines = listCommits(repository, [head.sha], [base.sha])
        .toReversed()
        .map(({ sha, message }) => markup`${commitLink(repository, sha)}${message.split('\n')[0]}`)
      const content = lines.length === 0 ? markup`<p>No commits.</p>` : listOf(lines)
      return html(renderPage('Compare commits', content))
    }),
    page(runs, (repository, id) => {
      const run = settings.run(repository, Number(id))
      if (run === undefined) return undefined
      const { title, ref, sha, attempts, inputs } = run
      const states = attempts.map(
        (state, at) => markup`Attempt ${at + 1}: ${state.replaceAll('_', ' ')}`,
      )
      const rows = Object.entries(inputs).map(
        ([name, value]) => markup`<dt>${name}</dt><dd><code>${String(value)}</code></dd>`,
      )
      const content = markup`<p><code>${ref}</code> at ${commitLink(repository, sha)}</p>
${listOf(states)}<dl>${rows}</dl>`
      return html(renderPage(title, content))
    }),
    page('issues', (repository, id) => {
      const issue = settings.issue(repository, Number(id))
      if (issue === undefined) return undefined
      const { title, state, author, assignee } = issue
      const content = markup`<p>#${id}, ${state}</p>
<p>Opened by ${nameOf(author)}, assigned to ${assignee === undefined ? 'nobody' : nameOf(assignee)}</p>`
      return html(renderPage(title, content))
    }),
  ]
}

function listOf(items: readonly Markup[]): Markup {
  return markup`<ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`
}

/** Returns the page of an address that the sandbox has no page for, or that does not exist. */
export function noPage(title: string): Answer {
  const content = markup`<p>The sandbox has pages for commits, comparisons, runs and issues, and no others.</p>`
  return html(renderPage(title, content), 404)
}
