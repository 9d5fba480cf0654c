import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import type { Operation, SiteRequest } from './gateway.ts'
import { selectFields, toIssueJson } from './issue-fields.ts'
import { invalidPayload, issueNotFound, jiraError } from './errors.ts'
import { asTexts, readStrict } from './request-body.ts'
import { findIssue } from './state.ts'

/** Reads issues. @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/ */
export const issueOperations: readonly Operation[] = [
  { method: 'POST', path: '/issue/bulkfetch', scope: 'read:jira-work', handle: bulkFetch },
  { method: 'GET', path: '/issue/:key', scope: 'read:jira-work', handle: getIssue },
]

const bulkMembers = ['issueIdsOrKeys', 'fields', 'fieldsByKeys', 'expand', 'properties']
const bulkMax = 100

/** Leaves out issues that do not exist or may not be seen. An issue that was moved has its current key. */
function bulkFetch({ site, request, addresses }: SiteRequest): Answer {
  const body = readStrict(request, bulkMembers)
  const idsOrKeys = asTexts(body?.['issueIdsOrKeys'])
  const fields = asTexts(body?.['fields'] ?? [])
  if (idsOrKeys === undefined || fields === undefined) return invalidPayload()
  if (idsOrKeys.length === 0 || idsOrKeys.length > bulkMax) {
    return jiraError(400, `Between 1 and ${bulkMax} issue IDs or keys can be requested.`)
  }
  const issues = new Set(idsOrKeys.flatMap((idOrKey) => findIssue(site, idOrKey) ?? []))
  const isWanted = selectFields(fields)
  return json({
    issues: [...issues]
      .toSorted((one, other) => one.id - other.id)
      .map((issue) => toIssueJson(issue, addresses, isWanted)),
    issueErrors: [],
  })
}

function getIssue({ site, request, addresses }: SiteRequest): Answer {
  const issue = findIssue(site, request.params['key'] ?? '')
  if (issue === undefined) return issueNotFound()
  return json(toIssueJson(issue, addresses, selectFields(request.query.getAll('fields'))))
}
