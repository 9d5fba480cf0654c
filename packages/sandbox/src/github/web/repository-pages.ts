import { html } from '../../http/answers.ts'
import { showComparison, showIssue } from '../../http/code-pages.ts'
import { markup, renderPage, type Markup } from '../../http/page.ts'
import type { Answer, Route, SandboxRequest } from '../../http/route.ts'
import { compareCommits, findCommit } from '../history.ts'
import { fullNameOf } from '../shapes/repository.ts'
import {
  findRepository,
  type GithubCommit,
  type GithubRepository,
  type GithubRun,
  type GithubState,
} from '../state.ts'
import { noSuchPage } from './notice-page.ts'

/** Creates the pages that links to GitHub open: a run with its attempts, a commit with its message, and an issue. */
export function createRepositoryPages(state: GithubState): Route[] {
  const inRepository =
    (show: (repository: GithubRepository, id: string) => Answer | undefined) =>
    ({ params }: SandboxRequest): Answer => {
      const repository = findRepository(state, params['owner'] ?? '', params['repo'] ?? '')
      return (repository && show(repository, params['id'] ?? '')) ?? noSuchPage()
    }
  return [
    {
      method: 'GET',
      path: '/:owner/:repo/actions/runs/:id',
      handle: inRepository((repository, id) => {
        const run = repository.runs.get(Number(id))
        return run && showRun(repository, run)
      }),
    },
    {
      method: 'GET',
      path: '/:owner/:repo/commit/:id',
      handle: inRepository((repository, id) => {
        const commit = findCommit(repository, id)
        return commit && showCommit(repository, commit)
      }),
    },
    {
      method: 'GET',
      path: '/:owner/:repo/compare/:id',
      handle: inRepository((repository, id) => {
        const [base, head] = id.split('...').map((ref) => findCommit(repository, ref))
        const comparison = base && head && compareCommits(repository, base, head)
        if (comparison === undefined) return undefined
        const name = fullNameOf(repository)
        return showComparison(
          name,
          comparison.commits.toReversed().map(({ sha, message }) => ({
            sha,
            message,
            url: `/github/${name}/commit/${sha}`,
          })),
        )
      }),
    },
    {
      method: 'GET',
      path: '/:owner/:repo/issues/:id',
      handle: inRepository((repository, id) => {
        const issue = repository.issues.get(Number(id))
        if (issue === undefined) return undefined
        const { author, assignee } = issue
        const people = { author: author.login, assignee: assignee?.login }
        return showIssue({ ...issue, ...people, repository: fullNameOf(repository) })
      }),
    },
  ]
}

function showRun(repository: GithubRepository, run: GithubRun): Answer {
  const { displayTitle, headBranch, headSha, event, attempts, inputs } = run
  const tries = attempts.map(
    ({ number, status, conclusion }) =>
      markup`<li>Attempt ${number}: ${conclusion ?? status.replace('_', ' ')}</li>`,
  )
  const inputRows = Object.entries(inputs).map(
    ([name, value]) => markup`<dt>${name}</dt><dd><code>${value}</code></dd>`,
  )
  const content = markup`<p>${fullNameOf(repository)}, <code>${headBranch}</code> at ${linkTo(repository, headSha)}, by ${event}</p>
<ol>${tries}</ol><dl>${inputRows}</dl>`
  return html(renderPage(displayTitle, content))
}

function showCommit(repository: GithubRepository, commit: GithubCommit): Answer {
  const { sha, message, author, at, parents, modified } = commit
  const [title = '', ...rest] = message.split('\n')
  const files = modified.map((path) => markup`<li><code>${path}</code></li>`)
  const content = markup`<p>${fullNameOf(repository)}, <code>${sha}</code></p>
<p>${author.login}, <time datetime="${at.toISOString()}">${at.toISOString()}</time></p>
<p>${rest.join('\n').trim()}</p><ul>${files}</ul>
<p>On top of ${parents.map((parent) => linkTo(repository, parent))}</p>`
  return html(renderPage(title, content))
}

function linkTo(repository: GithubRepository, sha: string): Markup {
  return markup`<a href="/github/${fullNameOf(repository)}/commit/${sha}"><code>${sha.slice(0, 8)}</code></a> `
}
