import type { ProviderCall } from '../call-provider.ts'
import type { WithAccessToken } from '../grant.ts'
import { ProviderError } from '../provider-error.ts'
import type { FoundIssue, TrackerApi, TrackerProject } from '../tracker.ts'
import { parseIssue, parseIssues, parseTeams, type LinearIssue } from './api-shapes.ts'
import { askLinear, type LinearQuery } from './ask.ts'
import { issueQuery, issuesQuery, teamsQuery } from './queries.ts'

/** Describes the workspace that is called. */
export interface LinearApiOptions {
  readonly call: ProviderCall
  /** Example: `https://api.linear.app`. */
  readonly apiUrl: string
  readonly workspaceId: string
  /** Example: `https://linear.app/acme`. */
  readonly workspaceUrl: string
  readonly withAccessToken: WithAccessToken
}

/** Keeps a query far below Linear's 10,000 points. */
const keysPerCall = 50
const lookupsAtOnce = 4
const teamsPerCall = 200
/** Ends a list whose pages do not. */
const teamPagesMax = 25

/**
 * Creates the API of one workspace of Linear.
 *
 * @see https://linear.app/developers/graphql
 */
export function createLinearApi(options: LinearApiOptions): TrackerApi {
  return {
    siteId: options.workspaceId,
    async findIssues(keys) {
      const distinct = [...new Set(keys)]
      const outcomes = new Map<string, FoundIssue>()
      for (const batch of batchesOf(distinct, keysPerCall)) {
        for (const { issue } of await fetchIssues(options, batch)) {
          outcomes.set(issue.key, { key: issue.key, outcome: 'found', issue })
        }
      }
      const missing = distinct.filter((key) => !outcomes.has(key))
      for (const batch of batchesOf(missing, lookupsAtOnce)) {
        const checked = await Promise.all(batch.map((key) => findFormer(options, key)))
        for (const one of checked) outcomes.set(one.key, one)
      }
      const absent = missing.filter((key) => outcomes.get(key)?.outcome === 'absent')
      const teamKeys = await findTeamKeys(options, [...new Set(absent.map(teamOf))])
      for (const key of absent) {
        if (!teamKeys.has(teamOf(key))) outcomes.set(key, { key, outcome: 'noProject' })
      }
      return distinct.flatMap((key) => outcomes.get(key) ?? [])
    },
    async listProjects({ query, page = '0', limit }) {
      const teams = await listTeams(options, query)
      const start = Number(page)
      const end = start + limit
      return {
        projects: teams.slice(start, end),
        nextPage: end < teams.length ? String(end) : undefined,
      }
    },
  }
}

async function fetchIssues(
  options: LinearApiOptions,
  keys: readonly string[],
): Promise<readonly LinearIssue[]> {
  const numbersByTeam = new Map<string, number[]>()
  for (const key of keys) {
    const numbers = numbersByTeam.get(teamOf(key)) ?? []
    numbersByTeam.set(teamOf(key), [...numbers, Number(key.slice(key.lastIndexOf('-') + 1))])
  }
  const or = [...numbersByTeam].map(([team, numbers]) => ({
    team: { key: { eq: team } },
    number: { in: numbers },
  }))
  const variables = { filter: { or }, first: keys.length }
  return parseIssues(await ask(options, { query: issuesQuery, variables }), options.workspaceUrl)
}

/** Looks for an issue that had a key. Each is a call of its own: of several, one that is not there would empty the answer. */
async function findFormer(options: LinearApiOptions, key: string): Promise<FoundIssue> {
  try {
    const body = await ask(options, { query: issueQuery, variables: { id: key } })
    const { issue, formerKeys } = parseIssue(body, options.workspaceUrl)
    if (issue.key === key) return { key, outcome: 'found', issue }
    return formerKeys.includes(key) ? { key, outcome: 'moved', issue } : { key, outcome: 'absent' }
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'notFound') {
      return { key, outcome: 'absent' }
    }
    throw error
  }
}

async function findTeamKeys(
  options: LinearApiOptions,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const teamKeys = new Set<string>()
  for (const batch of batchesOf(keys, keysPerCall)) {
    const variables = { filter: { key: { in: batch } }, first: batch.length, after: null }
    const { teams } = parseTeams(await ask(options, { query: teamsQuery, variables }))
    for (const { key } of teams) teamKeys.add(key)
  }
  return teamKeys
}

/** Lists the teams whose key or name contains `query`, by their keys: Linear orders them by time alone. */
async function listTeams(
  options: LinearApiOptions,
  query: string | undefined,
): Promise<readonly TrackerProject[]> {
  const contains = { containsIgnoreCase: query }
  const filter = query === undefined ? {} : { or: [{ key: contains }, { name: contains }] }
  const all = new Map<string, TrackerProject>()
  let after: string | null = null
  for (let page = 0; page < teamPagesMax; page += 1) {
    const variables: LinearQuery['variables'] = { filter, first: teamsPerCall, after }
    const { teams, nextCursor } = parseTeams(await ask(options, { query: teamsQuery, variables }))
    for (const team of teams) all.set(team.key, team)
    if (nextCursor === undefined) break
    after = nextCursor
  }
  return [...all.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

function ask(
  { call, apiUrl, withAccessToken }: LinearApiOptions,
  query: LinearQuery,
): Promise<unknown> {
  return withAccessToken((accessToken) => askLinear(call, { apiUrl, accessToken }, query))
}

function teamOf(key: string): string {
  return key.slice(0, key.lastIndexOf('-'))
}

function batchesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
