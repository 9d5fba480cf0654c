import { z } from 'zod'
import type { TrackerApi, TrackerProject } from '../../tracker.ts'
import { nextLink, readAnswer, type GithubRequests } from '../api-request.ts'
import { findGithubIssues } from './find-issues.ts'

const repositories = z.object({
  repositories: z.array(
    z.object({ full_name: z.string(), name: z.string(), has_issues: z.boolean().default(true) }),
  ),
})

/** Limits the pages that are read until one has a repository whose name fits. */
const pagesMax = 20

/** Creates the API of the issues of an installation. What a key names a project is a repository. */
export function createGithubIssuesApi(
  requests: Pick<GithubRequests, 'query' | 'get'>,
  accountId: string,
): TrackerApi {
  return {
    siteId: accountId,
    findIssues: (keys) => findGithubIssues(requests, keys),
    async listProjects({ query, page = '1', limit }) {
      let at: string | undefined = page
      let projects: readonly TrackerProject[] = []
      for (let read = 0; read < pagesMax && projects.length === 0 && at !== undefined; read += 1) {
        const search = new URLSearchParams({ per_page: String(limit), page: at })
        const answer = await requests.get(`/installation/repositories?${search.toString()}`)
        projects = readAnswer(answer, repositories)
          .repositories.filter(({ full_name: name, has_issues: has }) => has && fits(name, query))
          .map((repository) => ({ key: repository.full_name, name: repository.name }))
        at = nextLink(answer)?.searchParams.get('page') ?? undefined
      }
      return { projects, nextPage: at }
    },
  }
}

function fits(name: string, query: string | undefined): boolean {
  return query === undefined || name.toLowerCase().includes(query.toLowerCase())
}
