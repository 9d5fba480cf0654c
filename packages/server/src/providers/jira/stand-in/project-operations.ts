import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import type { Operation, SiteRequest } from './gateway.ts'
import { splitList, toProjectJson } from './issue-fields.ts'
import { readNumber } from './paging.ts'
import { jiraError } from './errors.ts'
import { visibleProjects, type JiraProject } from './state.ts'

/** Lists projects, by key. @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-projects/ */
export const projectOperations: readonly Operation[] = [
  { method: 'GET', path: '/project/search', scope: 'read:jira-work', handle: searchProjects },
]

const pageDefault = 50
const pageMax = 100

function searchProjects({ site, request: { query }, addresses }: SiteRequest): Answer {
  const startAt = readNumber(query, 'startAt', 0)
  const requestedMax = readNumber(query, 'maxResults', pageDefault)
  if (startAt === undefined || requestedMax === undefined || requestedMax === 0) {
    return jiraError(400, 'startAt and maxResults must be numbers.')
  }
  const maxResults = Math.min(requestedMax, pageMax)
  const projects = visibleProjects(site).filter(createFilter(query))
  const end = startAt + maxResults
  const isLast = end >= projects.length
  const pageAt = (at: number) => {
    const url = new URL(`${addresses.api}/project/search?${query.toString()}`)
    url.searchParams.set('startAt', String(at))
    url.searchParams.set('maxResults', String(maxResults))
    return url.href
  }
  return json({
    self: pageAt(startAt),
    ...(!isLast && { nextPage: pageAt(end) }),
    maxResults,
    startAt,
    total: projects.length,
    isLast,
    values: projects.slice(startAt, end).map((project) => ({
      ...toProjectJson(project, addresses),
      style: 'classic',
      isPrivate: false,
    })),
  })
}

function createFilter(query: URLSearchParams): (project: JiraProject) => boolean {
  const text = (query.get('query') ?? '').toLowerCase()
  const keys = splitList(query.getAll('keys')).map((key) => key.toUpperCase())
  return ({ key, name }) =>
    (keys.length === 0 || keys.includes(key)) &&
    (key.toLowerCase().includes(text) || name.toLowerCase().includes(text))
}
