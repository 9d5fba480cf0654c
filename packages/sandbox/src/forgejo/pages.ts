import { showCommit, showComparison, showIssue, showNothing, showRun } from '../http/code-pages.ts'
import type { Answer, Route, SandboxRequest } from '../http/route.ts'
import { findCommit, listCommits } from './history.ts'
import { findRepository, type ForgejoRepository, type ForgejoState } from './state.ts'

/** Returns the instance's page of an address that does not exist. */
export const noSuchPage = (): Answer => showNothing('404: Not found')

type Show = (repository: ForgejoRepository, id: string) => Answer | undefined

/** Creates the pages that links to the instance open: commits, runs and issues. */
export function createPages(state: ForgejoState): Route[] {
  const inRepository = (path: string, show: Show): Route => ({
    method: 'GET',
    path: `/:owner/:repo/${path}/:id`,
    handle({ params: { owner = '', repo = '', id = '' } }: SandboxRequest) {
      const repository = findRepository(state, `${owner}/${repo}`)
      return (repository && show(repository, id)) ?? noSuchPage()
    },
  })
  return [
    inRepository('commit', (repository, id) => {
      const commit = findCommit(repository, id)
      const { fullName } = repository
      return (
        commit && showCommit({ ...commit, repository: fullName, author: commit.author.fullName })
      )
    }),
    inRepository('compare', (repository, id) => {
      const [base, head] = id.split('...').map((ref) => findCommit(repository, ref))
      if (base === undefined || head === undefined) return undefined
      const { fullName } = repository
      const commits = listCommits(repository, { from: head, not: base })
      return showComparison(
        fullName,
        commits.map(({ sha, message }) => ({
          sha,
          message,
          url: `${state.baseUrl}/${fullName}/commit/${sha}`,
        })),
      )
    }),
    inRepository('actions/runs', (repository, id) => {
      // The page of a run is at its number within the repository.
      const run = [...repository.runs.values()].find(({ index }) => index === Number(id))
      const { fullName } = repository
      const commitUrl = `${state.baseUrl}/${fullName}/commit/${run?.sha}`
      return run && showRun({ ...run, repository: fullName, commitUrl })
    }),
    inRepository('issues', (repository, id) => {
      const issue = repository.issues.get(Number(id))
      if (issue === undefined) return undefined
      const { author, assignee } = issue
      return showIssue({
        ...issue,
        repository: repository.fullName,
        author: author.fullName,
        assignee: assignee?.fullName,
      })
    }),
  ]
}
