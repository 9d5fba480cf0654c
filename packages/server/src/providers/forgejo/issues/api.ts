import { z } from 'zod'
import type { TrackerApi, TrackerProject } from '../../tracker.ts'
import { getPage, type ForgejoRequests } from '../api-request.ts'
import { list } from '../../codehosts/fields.ts'
import { findForgejoIssues } from './find-issues.ts'

const repository = z
  .object({
    full_name: z.string(),
    name: z.string(),
    has_issues: z.boolean().catch(true),
    archived: z.boolean().catch(false),
  })
  .transform(({ full_name: key, name, has_issues: has, archived }) => ({
    key,
    name,
    isOpen: has && !archived,
  }))

/** Limits the pages that are read until one has a repository whose name fits. */
const pagesMax = 20

/** Creates the API of the issues of a Forgejo or Gitea, as the person who connected it sees them. */
export function createForgejoIssuesApi(
  requests: Pick<ForgejoRequests, 'get'>,
  instance: string,
): TrackerApi {
  return {
    siteId: instance,
    findIssues: (keys) => findForgejoIssues(requests, keys),
    async listProjects({ query, page }) {
      const part = query?.toLowerCase() ?? ''
      let at = page
      let projects: readonly TrackerProject[] = []
      for (let read = 0; read < pagesMax && projects.length === 0; read += 1) {
        const listed: Awaited<ReturnType<typeof getPage<typeof repository>>> = await getPage(
          requests,
          { path: '/user/repos', page: at },
          { list, item: repository },
        )
        projects = listed.items
          .filter(({ key, isOpen }) => isOpen && key.toLowerCase().includes(part))
          .map(({ key, name }) => ({ key, name }))
        at = listed.nextPage
        if (at === undefined) break
      }
      return { projects, nextPage: at }
    },
  }
}
