import { callProvider, readProviderJson, type ProviderCall } from '../call-provider.ts'
import type { WithAccessToken } from '../grant.ts'
import type { FoundIssue, TrackerApi, TrackerIssue } from '../tracker.ts'
import { parseIssues, parseProjectPage } from './api-shapes.ts'
import { findByKeys } from './find-by-keys.ts'

/** Describes the site that is called. */
export interface JiraApiOptions {
  readonly call: ProviderCall
  /** Example: `https://api.atlassian.com`. */
  readonly apiUrl: string
  /** The cloud id. */
  readonly siteId: string
  /** Example: `https://acme.atlassian.net`. */
  readonly siteUrl: string
  readonly withAccessToken: WithAccessToken
}

const keysPerCall = 100
const issueFields = ['summary', 'issuetype', 'status', 'assignee', 'priority']

/**
 * Creates the API of one site of Jira Cloud.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
 */
export function createJiraApi(options: JiraApiOptions): TrackerApi {
  const { siteId, siteUrl } = options
  return {
    siteId,
    async findIssues(keys) {
      const distinct = [...new Set(keys)]
      const lookups: FoundIssue[] = []
      for (let at = 0; at < distinct.length; at += keysPerCall) {
        const batch = distinct.slice(at, at + keysPerCall)
        lookups.push(...(await findByKeys(batch, (some) => fetchIssues(options, siteUrl, some))))
      }
      return markWithoutProject(options, lookups)
    },
    async listProjects({ query, page = '0', limit }) {
      const search = new URLSearchParams({
        startAt: page,
        maxResults: String(limit),
        orderBy: 'key',
        ...(query !== undefined && { query }),
      })
      const body = await ask(options, { path: `/project/search?${search.toString()}` })
      const { projects, count, isLast } = parseProjectPage(body)
      const isMore = !isLast && count > 0
      return { projects, nextPage: isMore ? String(Number(page) + count) : undefined }
    },
  }
}

async function fetchIssues(
  options: JiraApiOptions,
  siteUrl: string,
  keys: readonly string[],
): Promise<readonly TrackerIssue[]> {
  const json = { issueIdsOrKeys: keys, fields: issueFields }
  return parseIssues(await ask(options, { path: '/issue/bulkfetch', json }), siteUrl)
}

const projectsPerCall = 50

/** Marks the keys whose project does not exist or is hidden, among those that were not found. */
async function markWithoutProject(
  options: JiraApiOptions,
  lookups: readonly FoundIssue[],
): Promise<readonly FoundIssue[]> {
  const absent = lookups.filter(({ outcome }) => outcome === 'absent').map(({ key }) => key)
  const projectKeys = [...new Set(absent.map(projectOf))]
  const visibleKeys = new Set<string>()
  for (let at = 0; at < projectKeys.length; at += projectsPerCall) {
    const search = new URLSearchParams({ maxResults: String(projectsPerCall) })
    for (const key of projectKeys.slice(at, at + projectsPerCall)) search.append('keys', key)
    const body = await ask(options, { path: `/project/search?${search.toString()}` })
    for (const { key } of parseProjectPage(body).projects) visibleKeys.add(key)
  }
  return lookups.map((one) =>
    one.outcome === 'absent' && !visibleKeys.has(projectOf(one.key))
      ? { key: one.key, outcome: 'noProject' }
      : one,
  )
}

function projectOf(key: string): string {
  return key.slice(0, key.lastIndexOf('-'))
}

/**
 * Calls one site through the gateway, `/ex/jira/{cloudId}`. All calls here only read, also those by POST. The gateway answers an
 * expired token with 404 on some paths and with 403 on others.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#3--make-calls-to-the-api-using-the-access-token
 * @see https://github.com/n8n-io/n8n/pull/37776
 */
async function ask(
  { call, apiUrl, siteId, withAccessToken }: JiraApiOptions,
  { path, json }: { readonly path: string; readonly json?: unknown },
): Promise<unknown> {
  const answer = await withAccessToken((accessToken) =>
    callProvider(call, {
      url: `${apiUrl}/ex/jira/${encodeURIComponent(siteId)}/rest/api/3${path}`,
      headers: { authorization: `Bearer ${accessToken}` },
      isSafe: true,
      ...(json !== undefined && { method: 'POST', json }),
    }),
  )
  return readProviderJson('jira', answer)
}
