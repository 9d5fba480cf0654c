import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import type { Operation, SiteRequest } from './gateway.ts'
import { selectFields, splitList, toIssueJson } from './issue-fields.ts'
import { runJql } from './jql.ts'
import { readNumber } from './paging.ts'
import { invalidPayload, jiraError } from './errors.ts'
import { asTexts, readStrict } from './request-body.ts'
import type { JiraIssue } from './state.ts'
import { createHash } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'

/** Finds issues by JQL. @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/ */
export const searchOperations: readonly Operation[] = [
  { method: 'GET', path: '/search/jql', scope: 'read:jira-work', handle: searchByQuery },
  { method: 'POST', path: '/search/jql', scope: 'read:jira-work', handle: searchByBody },
  ...(['GET', 'POST', 'PUT'] as const).map((method) => ({
    method,
    path: '/search',
    scope: 'read:jira-work' as const,
    handle: () =>
      jiraError(
        410,
        'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046',
      ),
  })),
]

const pageDefault = 50
const pageMax = 5000

interface Search {
  readonly jql: string
  readonly nextPageToken: string | undefined
  readonly maxResults: number | undefined
  readonly fields: readonly string[]
}

function searchByQuery(siteRequest: SiteRequest): Answer {
  const { query } = siteRequest.request
  return search(siteRequest, {
    jql: query.get('jql') ?? '',
    nextPageToken: query.get('nextPageToken') ?? undefined,
    maxResults: readNumber(query, 'maxResults', pageDefault),
    fields: splitList(query.getAll('fields')),
  })
}

const searchMembers = [
  'expand',
  'fields',
  'fieldsByKeys',
  'jql',
  'maxResults',
  'nextPageToken',
  'properties',
  'reconcileIssues',
]

function searchByBody(siteRequest: SiteRequest): Answer {
  const body = readStrict(siteRequest.request, searchMembers)
  const fields = asTexts(body?.['fields'] ?? [])
  if (body === undefined || fields === undefined) return invalidPayload()
  const { jql = '', nextPageToken, maxResults = pageDefault } = body
  if (typeof jql !== 'string' || typeof maxResults !== 'number') return invalidPayload()
  if (nextPageToken !== undefined && typeof nextPageToken !== 'string') return invalidPayload()
  return search(siteRequest, { jql, nextPageToken, maxResults, fields: splitList(fields) })
}

function search(
  siteRequest: SiteRequest,
  { jql, nextPageToken, maxResults, fields }: Search,
): Answer {
  if (maxResults === undefined || maxResults < 1 || maxResults > pageMax) {
    return jiraError(400, 'The max results parameter has to be between 1 and 5,000.')
  }
  const result = runJql(siteRequest.site, jql)
  if (result.outcome === 'refused') return jiraError(400, result.message)
  const pages = createPageTokens(siteRequest.jira.clock, jql)
  const start = nextPageToken === undefined ? 0 : pages.read(nextPageToken)
  if (start === undefined) return jiraError(400, 'The nextPageToken is not, or no longer, valid.')
  return json(toPage({ siteRequest, issues: result.issues, start, maxResults, fields, pages }))
}

interface Page {
  readonly siteRequest: SiteRequest
  readonly issues: readonly JiraIssue[]
  readonly start: number
  readonly maxResults: number
  readonly fields: readonly string[]
  readonly pages: PageTokens
}

/** Returns a page of issues. It has only ids unless fields are requested, which is the default of no other operation. */
function toPage({ siteRequest, issues, start, maxResults, fields, pages }: Page): unknown {
  const end = start + maxResults
  const isLast = end >= issues.length
  const onlyId = fields.every((field) => field === 'id')
  const isWanted = selectFields(fields)
  return {
    issues: issues
      .slice(start, end)
      .map((issue) =>
        onlyId ? { id: String(issue.id) } : toIssueJson(issue, siteRequest.addresses, isWanted),
      ),
    ...(!isLast && { nextPageToken: pages.write(end) }),
    isLast,
  }
}

/** Describes the tokens of a search's pages. Each is valid for the query it was made for, and for seven days. */
interface PageTokens {
  write(start: number): string
  /** Returns where the page starts, or `undefined` when the token belongs to another query or is too old. */
  read(token: string): number | undefined
}

const lifetimeMs = 7 * 24 * 60 * 60 * 1000

/** Creates the page tokens of one query. */
function createPageTokens(clock: Clock, jql: string): PageTokens {
  const mark = createHash('sha256').update(jql).digest('hex').slice(0, 16)
  return {
    write: (start) =>
      Buffer.from(`${mark}:${start}:${clock.now().getTime()}`).toString('base64url'),
    read(token) {
      const text = Buffer.from(token, 'base64url').toString('utf8')
      const [, ofQuery, start, at] = /^([0-9a-f]{16}):(\d+):(\d+)$/.exec(text) ?? []
      if (ofQuery !== mark || clock.now().getTime() - Number(at) >= lifetimeMs) return undefined
      return Number(start)
    },
  }
}
