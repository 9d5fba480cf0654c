import { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import type { FoundIssue } from '../../tracker.ts'
import { readAnswer, type GithubRequests } from '../api-request.ts'
import type { GithubQueryAnswer } from '../query-answer.ts'
import { toIssueQuery, type WantedIssues } from './issue-query.ts'
import { queriedIssue, restIssue } from './issue-shapes.ts'

/** Limits the issues of one query: each is a field of it. */
const issuesPerQuery = 100
/** Limits the numbers that are asked for one by one, because they may have been transferred. */
const transfersMax = 20

const answered = z.record(z.string(), z.record(z.string(), z.unknown()).nullable())

/** Finds what became of each key, such as `acme/shop#12`. @throws {ProviderError} */
export async function findGithubIssues(
  requests: Pick<GithubRequests, 'query' | 'get'>,
  keys: readonly string[],
): Promise<readonly FoundIssue[]> {
  const distinct = [...new Set(keys)]
  const lookups: FoundIssue[] = []
  for (let at = 0; at < distinct.length; at += issuesPerQuery) {
    lookups.push(...(await queryIssues(requests, distinct.slice(at, at + issuesPerQuery))))
  }
  return followTransfers(requests, lookups)
}

async function queryIssues(
  requests: Pick<GithubRequests, 'query'>,
  keys: readonly string[],
): Promise<readonly FoundIssue[]> {
  const groups = groupByRepository(keys)
  const answer = await requests.query(toIssueQuery(groups))
  const { success, data } = answered.safeParse(answer.data)
  if (!success) throw unexpected()
  return groups.flatMap(({ repository, numbers }, at) =>
    numbers.map((number): FoundIssue => {
      const key = `${repository}#${number}`
      const path = `r${at}.i${number}`
      requireAllowed(answer, [`r${at}`, path])
      const issues = data[`r${at}`]
      if (issues === null || issues === undefined) {
        return { key, outcome: 'noProject', reason: noRepository }
      }
      return toFound(key, issues[`i${number}`])
    }),
  )
}

const noRepository = 'GitHub shows no repository of this name to Signalbox.'
const pullRequest = 'It is the number of a pull request.'

function toFound(key: string, item: unknown): FoundIssue {
  if (item === null || item === undefined) return { key, outcome: 'absent' }
  const { success, data: issue } = queriedIssue.safeParse(item)
  if (!success) return { key, outcome: 'noIssue', reason: pullRequest }
  return { key, outcome: issue.key.toLowerCase() === key ? 'found' : 'moved', issue }
}

/** Throws where GitHub does not lack the issue but the permission: what is hidden may be there. @throws {ProviderError} */
function requireAllowed({ refused }: GithubQueryAnswer, paths: readonly string[]): void {
  for (const path of paths) {
    const type = refused.get(path)
    if (type === undefined || type === 'NOT_FOUND') continue
    const failure = type === 'FORBIDDEN' ? 'forbidden' : 'unavailable'
    throw new ProviderError({ provider: 'github', failure, code: `graphql_${type.toLowerCase()}` })
  }
}

/**
 * Asks for numbers that have nothing behind them by themselves: of an issue that was transferred GraphQL says that there is none,
 * and the REST API where it went.
 *
 * @see https://docs.github.com/en/rest/issues/issues#get-an-issue
 */
async function followTransfers(
  requests: Pick<GithubRequests, 'get'>,
  lookups: readonly FoundIssue[],
): Promise<readonly FoundIssue[]> {
  const missing = lookups.filter(({ outcome }) => outcome === 'absent').slice(0, transfersMax)
  const moved = new Map<string, FoundIssue>()
  for (const { key } of missing) {
    const [repository = '', number = ''] = key.split('#')
    const first = await requests.get(`/repos/${repository}/issues/${number}`, { accept: gone })
    const path = first.status === 301 ? pathOf(first.headers['location']) : undefined
    if (path === undefined) continue
    const answer = await requests.get(path, { accept: gone })
    if (answer.status !== 200) continue
    const issue = readAnswer(answer, restIssue)
    if (issue !== undefined) moved.set(key, { key, outcome: 'moved', issue })
  }
  return lookups.map((one) => moved.get(one.key) ?? one)
}

const gone = [301, 404, 410]
const issuePath = /\/(?:repos\/[^/?#]+\/[^/?#]+|repositories\/\d{1,20})\/issues\/\d{1,9}$/

/** Returns the path below the API to which GitHub sends on. Its host is for us to say. */
function pathOf(location: string | undefined): string | undefined {
  return issuePath.exec(location ?? '')?.[0]
}

function groupByRepository(keys: readonly string[]): readonly WantedIssues[] {
  const numbers = new Map<string, number[]>()
  for (const key of keys) {
    const [repository = '', number = ''] = key.split('#')
    numbers.set(repository, [...(numbers.get(repository) ?? []), Number(number)])
  }
  return [...numbers].map(([repository, all]) => ({ repository, numbers: all }))
}

function unexpected(): ProviderError {
  const of = { provider: 'github', failure: 'unavailable', code: 'unexpected_answer' } as const
  return new ProviderError(of)
}
