import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, ProjectCall } from '../access.ts'
import { badParameter, notFound } from '../errors.ts'
import { answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toIssue } from '../shapes/issue.ts'
import { accessLevels, type GitlabIssue, type GitlabProject, type GitlabUser } from '../state.ts'

/**
 * Creates the routes of issues.
 *
 * @see https://docs.gitlab.com/api/issues/
 */
export function issueRoutes({ state }: GitlabParts, api: GitlabApi): Route[] {
  return [
    api.inProject('GET /issues', (call) => listIssues(state, call)),
    api.inProject('GET /issues/:issue_iid', ({ request, project, user }) => {
      const issue = project.issues.get(Number(request.params['issue_iid']))
      if (issue === undefined || !canSeeIssue(project, issue, user)) return notFound('Issue')
      return json(toIssue(state, project, issue))
    }),
  ]
}

function listIssues(state: GitlabParts['state'], { request, project, user }: ProjectCall): Answer {
  const iids = request.query.getAll('iids[]')
  if (!iids.every((text) => /^\d{1,9}$/.test(text))) return badParameter('iids is invalid')
  const issueState = request.query.get('state') ?? 'all'
  if (!['all', 'opened', 'closed'].includes(issueState)) {
    return badParameter('state does not have a valid value')
  }
  const issues = [...project.issues.values()]
    .filter((issue) => canSeeIssue(project, issue, user))
    .filter(({ iid }) => iids.length === 0 || iids.includes(String(iid)))
    .filter((issue) => issueState === 'all' || issue.state === issueState)
    .toReversed()
  return answerPage(state, request, issues, (issue) => toIssue(state, project, issue))
}

/** Returns whether a person sees an issue: a confidential one from the role Reporter on, or as its author or assignee. */
export function canSeeIssue(
  { members, visibility }: GitlabProject,
  { isConfidential, author, assignee }: GitlabIssue,
  { id }: GitlabUser,
): boolean {
  const role = members.get(id)
  if (role === undefined && visibility === 'private') return false
  if (!isConfidential || author.id === id || assignee?.id === id) return true
  return role !== undefined && accessLevels[role] >= accessLevels.reporter
}
