import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, GitlabCall } from '../access.ts'
import { answerKeyset, answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toUser } from '../shapes/people.ts'
import { toProject, toSimpleProject } from '../shapes/project.ts'
import { accessLevels, type GitlabProject } from '../state.ts'

/**
 * Creates the routes of the instance, of the person and of projects.
 *
 * @see https://docs.gitlab.com/api/projects/
 */
export function projectRoutes({ state }: GitlabParts, api: GitlabApi): Route[] {
  const version = () => ({ version: state.settings.version, revision: '0a1b2c3d4e5' })
  return [
    api.route('GET /version', () => json(version())),
    api.route('GET /user', ({ user }) =>
      json({ ...toUser(state, user), email: user.email, bot: false, external: false }),
    ),
    api.route('GET /projects', (call) => {
      const { request } = call
      const listed = [...state.projects.values()].filter((project) => isListed(call, project))
      const isSimple = request.query.get('simple') === 'true'
      const present = (project: GitlabProject) =>
        isSimple
          ? toSimpleProject(state, project)
          : toProject(state, project, levelIn(project, call))
      if (request.query.get('pagination') === 'keyset') {
        return answerKeyset(state, request, listed, present)
      }
      return answerPage(state, request, sorted(call, listed), present)
    }),
    api.inProject('GET ', (call) =>
      json(toProject(state, call.project, levelIn(call.project, call))),
    ),
  ]
}

function levelIn({ members }: GitlabProject, { user }: GitlabCall): number | undefined {
  const role = members.get(user.id)
  return role === undefined ? undefined : accessLevels[role]
}

function isListed(call: GitlabCall, project: GitlabProject): boolean {
  const { query } = call.request
  const level = levelIn(project, call)
  const search = (query.get('search') ?? '').toLowerCase()
  const archived = query.get('archived')
  return (
    (level !== undefined || project.visibility !== 'private') &&
    (query.get('membership') !== 'true' || level !== undefined) &&
    (level ?? 0) >= Number(query.get('min_access_level') ?? 0) &&
    (archived === null || archived === String(project.isArchived)) &&
    `${project.name} ${project.fullPath}`.toLowerCase().includes(search)
  )
}

/** Sorts by `order_by`, by default newest first. */
function sorted({ request }: GitlabCall, projects: readonly GitlabProject[]): GitlabProject[] {
  const by = request.query.get('order_by') ?? 'created_at'
  const value = (project: GitlabProject): string | number => {
    if (by === 'last_activity_at') return project.lastActivityAt.getTime()
    if (by === 'name' || by === 'path') return project.name
    return project.id
  }
  const rising = projects.toSorted((one, other) => (value(one) < value(other) ? -1 : 1))
  return request.query.get('sort') === 'asc' ? rising : rising.toReversed()
}
