import { buildSchema, graphql } from '../../../../../../sandbox/src/models/graphql.ts'
import { json } from '../../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../../sandbox/src/http/fields.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, GitlabCall } from '../access.ts'
import type { GitlabParts } from '../parts.ts'
import { findMoved, issueUrl } from '../shapes/issue.ts'
import { toUser } from '../shapes/people.ts'
import {
  findProject,
  type GitlabIssue,
  type GitlabProject,
  type GitlabState,
  type GitlabUser,
} from '../state.ts'
import { canSeeIssue } from './issue-routes.ts'

/** Declares the part of GitLab's schema that is pretended. It is no copy of GitLab's own document. */
const schema = buildSchema(`
  scalar IssueID
  enum IssueState { opened closed locked all }
  enum IssueType { ISSUE INCIDENT TEST_CASE REQUIREMENT TASK }
  type Query { project(fullPath: ID!): Project }
  type Project { fullPath: ID! issue(iid: String): Issue }
  type Issue {
    id: ID! iid: ID! title: String! state: IssueState! confidential: Boolean! type: IssueType
    webUrl: String! reference(full: Boolean): String! moved: Boolean movedTo: Issue
    assignees(first: Int): UserCoreConnection
  }
  type UserCoreConnection { nodes: [UserCore] }
  type UserCore { name: String! username: String! }
`)

/**
 * Creates the route of GraphQL, for queries alone. It answers 200 also where a query fails.
 *
 * @see https://docs.gitlab.com/api/graphql/
 */
export function graphqlRoute({ state }: GitlabParts, api: GitlabApi): Route {
  return api.route('POST /graphql', (call) => run(state, call), 'read')
}

async function run(state: GitlabState, { request, user }: GitlabCall): Promise<Answer> {
  const { query, variables } = readJson(request)
  const variableValues = Object.fromEntries(Object.entries(Object(variables)))
  const rootValue = createRoot(state, user)
  return json(await graphql({ schema, source: String(query), rootValue, variableValues }))
}

function createRoot(state: GitlabState, user: GitlabUser) {
  const show = (project: GitlabProject, issue: GitlabIssue | undefined): unknown => {
    if (issue === undefined || !canSeeIssue(project, issue, user)) return null
    const { id, iid, title, assignee, isConfidential: confidential, type } = issue
    return {
      id: `gid://gitlab/Issue/${id}`,
      iid: String(iid),
      title,
      state: issue.state,
      confidential,
      type: type.toUpperCase(),
      webUrl: issueUrl(state, project, issue),
      reference: ({ full }: { readonly full?: boolean }) =>
        `${full === true ? project.fullPath : ''}#${iid}`,
      moved: issue.movedTo !== undefined,
      movedTo() {
        const moved = findMoved(state, issue)
        return moved === undefined ? null : show(moved.project, moved.issue)
      },
      assignees: { nodes: assignee === undefined ? [] : [toUser(state, assignee)] },
    }
  }
  return {
    project({ fullPath }: { readonly fullPath: string }) {
      const project = findProject(state, fullPath)
      if (project === undefined) return null
      if (!project.members.has(user.id) && project.visibility === 'private') return null
      return {
        fullPath: project.fullPath,
        issue: ({ iid }: { readonly iid?: string }) =>
          show(project, project.issues.get(Number(iid ?? 0))),
      }
    },
  }
}
