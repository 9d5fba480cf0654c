import { z } from 'zod'
import type { TrackerApi } from '../../tracker.ts'
import { readAnswer, type GitlabRequests } from '../api-request.ts'
import { list } from '../../codehosts/fields.ts'
import { findGitlabIssues } from './find-issues.ts'

const project = z
  .object({ path_with_namespace: z.string(), name: z.string() })
  .transform(({ path_with_namespace: key, name }) => ({ key, name }))

/** Creates the API of the issues of a GitLab, as the person who connected it sees them. */
export function createGitlabIssuesApi(
  requests: Pick<GitlabRequests, 'get' | 'query'>,
  instance: string,
): TrackerApi {
  return {
    siteId: instance,
    findIssues: (keys) => findGitlabIssues(requests, keys),
    async listProjects({ query, page = '1', limit }) {
      const search = new URLSearchParams({
        membership: 'true',
        archived: 'false',
        with_issues_enabled: 'true',
        simple: 'true',
        order_by: 'path',
        sort: 'asc',
        ...(query !== undefined && { search: query, search_namespaces: 'true' }),
        per_page: String(limit),
        page,
      })
      const answer = await requests.get(`/projects?${search.toString()}`)
      const projects = readAnswer(answer, list).flatMap((item) => {
        const { data } = project.safeParse(item)
        return data === undefined ? [] : [data]
      })
      const next = answer.headers['x-next-page'] ?? ''
      return { projects, nextPage: /^\d{1,9}$/.test(next) ? next : undefined }
    },
  }
}
