import { json } from '../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../sandbox/src/http/fields.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import type { Operation, SiteRequest } from './gateway.ts'
import { issueNotFound, jiraError } from './errors.ts'
import { findIssue, type JiraIssue, type JiraRemoteLink } from './state.ts'

/**
 * Creates the operations of links from an issue to a page elsewhere.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-remote-links/
 */
export const remoteLinkOperations: readonly Operation[] = [
  { method: 'GET', path: '/issue/:key/remotelink', scope: 'read:jira-work', handle: listLinks },
  { method: 'POST', path: '/issue/:key/remotelink', scope: 'write:jira-work', handle: putLink },
]

const globalIdMax = 255

function listLinks(siteRequest: SiteRequest): Answer {
  const issue = findIssue(siteRequest.site, siteRequest.request.params['key'] ?? '')
  if (issue === undefined) return issueNotFound()
  const globalId = siteRequest.request.query.get('globalId')
  if (globalId === null) {
    return json(issue.remoteLinks.map((link) => toLinkJson(siteRequest, issue, link)))
  }
  const link = issue.remoteLinks.find((one) => one.globalId === globalId)
  return link === undefined
    ? jiraError(404, 'The remote issue link does not exist.')
    : json(toLinkJson(siteRequest, issue, link))
}

/** Creates a link, or replaces the whole link with the same `globalId`. */
function putLink(siteRequest: SiteRequest): Answer {
  const issue = findIssue(siteRequest.site, siteRequest.request.params['key'] ?? '')
  if (issue === undefined) return issueNotFound()
  const { globalId, application, relationship, object } = readJson(siteRequest.request)
  const errors = findErrors(globalId, relationship, object)
  if (Object.keys(errors).length > 0) return jiraError(400, undefined, errors)
  const known = issue.remoteLinks.find(
    (one) => one.globalId !== undefined && one.globalId === globalId,
  )
  const link: JiraRemoteLink = {
    id: known?.id ?? siteRequest.jira.nextId(),
    globalId: typeof globalId === 'string' ? globalId : undefined,
    application,
    relationship: typeof relationship === 'string' ? relationship : undefined,
    object,
  }
  issue.remoteLinks = [...issue.remoteLinks.filter(({ id }) => id !== link.id), link]
  const { id, self } = toLinkJson(siteRequest, issue, link)
  return json({ id, self }, known === undefined ? 201 : 200)
}

function findErrors(
  globalId: unknown,
  relationship: unknown,
  object: unknown,
): Record<string, string> {
  const { title, url } = typeof object === 'object' ? { title: '', url: '', ...object } : {}
  const wrong: readonly (readonly [boolean, string, string])[] = [
    [typeof title !== 'string' || title === '', 'title', "'title' is required."],
    [typeof url !== 'string' || url === '', 'url', "'url' is required."],
    [typeof url === 'string' && url !== '' && !URL.canParse(url), 'url', "'url' is not a URL."],
    [!isTextOrAbsent(globalId), 'globalId', "'globalId' must be a string."],
    [
      typeof globalId === 'string' && globalId.length > globalIdMax,
      'globalId',
      `'globalId' is longer than ${globalIdMax} characters.`,
    ],
    [!isTextOrAbsent(relationship), 'relationship', "'relationship' must be a string."],
  ]
  return Object.fromEntries(
    wrong.flatMap(([applies, field, message]) => (applies ? [[field, message]] : [])),
  )
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

function toLinkJson({ addresses }: SiteRequest, issue: JiraIssue, link: JiraRemoteLink) {
  return { ...link, self: `${addresses.api}/issue/${issue.key}/remotelink/${link.id}` }
}
