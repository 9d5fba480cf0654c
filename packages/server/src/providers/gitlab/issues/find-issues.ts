import { z } from 'zod'
import type { FoundIssue } from '../../tracker.ts'
import { readAnswer, type GitlabRequests } from '../api-request.ts'
import { list } from '../../codehosts/fields.ts'
import { issueFields, listedIssue, queriedIssue, type ListedIssue } from './issue-shapes.ts'

type Requests = Pick<GitlabRequests, 'get' | 'query'>

/** Limits the numbers of one call, whose address they are in. */
const numbersPerCall = 50
/** Limits the issues of one query. GitLab counts each field of them, and refuses a query above its limit. */
const issuesPerQuery = 5
/** Limits the moved issues that are followed in each look-up. */
const movedMax = 20

/** Finds what became of each key, such as `acme/shop#12`, with one call for each project. @throws {ProviderError} */
export async function findGitlabIssues(
  requests: Requests,
  keys: readonly string[],
): Promise<readonly FoundIssue[]> {
  const lookups: Lookup[] = []
  for (const { project, numbers } of groupByProject(keys)) {
    for (let at = 0; at < numbers.length; at += numbersPerCall) {
      lookups.push(...(await listIssues(requests, project, numbers.slice(at, at + numbersPerCall))))
    }
  }
  return followMoves(requests, lookups)
}

interface Lookup {
  readonly key: string
  readonly project: string
  readonly number: number
  /** `undefined`: the project is not shown. */
  readonly listed: ListedIssue | 'absent' | undefined
}

async function listIssues(
  requests: Requests,
  project: string,
  numbers: readonly number[],
): Promise<readonly Lookup[]> {
  const iids = numbers.map((number) => `iids[]=${number}`).join('&')
  const query = `/issues?${iids}&per_page=100`
  const accept = [301, 302, 307, 308, 404]
  const first = await requests.get(`/projects/${encodeURIComponent(project)}${query}`, { accept })
  // A project that was renamed or moved is at its number, to which GitLab sends on.
  const id = /\/projects\/(\d{1,20})\/issues/.exec(first.headers['location'] ?? '')?.[1]
  const answer =
    first.status !== 200 && id !== undefined
      ? await requests.get(`/projects/${id}${query}`, { accept: [404] })
      : first
  const isShown = answer.status === 200
  const issues = new Map(
    (isShown ? readAnswer(answer, list) : []).flatMap((item) => {
      const { data } = listedIssue.safeParse(item)
      return data === undefined ? [] : [[data.number, data] as const]
    }),
  )
  return numbers.map((number) => ({
    key: `${project}#${number}`,
    project,
    number,
    listed: isShown ? (issues.get(number) ?? 'absent') : undefined,
  }))
}

const noProject = 'GitLab shows no project of this name to the person who connected.'

function toFound({ key, listed }: Lookup): FoundIssue {
  if (listed === undefined) return { key, outcome: 'noProject', reason: noProject }
  if (listed === 'absent') return { key, outcome: 'absent' }
  const { issue } = listed
  return { key, outcome: issue.key.toLowerCase() === key ? 'found' : 'moved', issue }
}

/**
 * Shows issues that were moved as they are in their new project. GitLab closes what it leaves behind, and the REST API names only an
 * id, with which administrators alone can ask. An issue whose new project is hidden stays as it was left.
 *
 * @see https://docs.gitlab.com/api/graphql/reference/#issue
 */
async function followMoves(
  requests: Requests,
  lookups: readonly Lookup[],
): Promise<readonly FoundIssue[]> {
  const left = lookups
    .filter(({ listed }) => typeof listed === 'object' && listed.isMoved)
    .slice(0, movedMax)
  const moved = new Map<string, FoundIssue>()
  for (let at = 0; at < left.length; at += issuesPerQuery) {
    const part = left.slice(at, at + issuesPerQuery)
    const data = await requests.query(toMoveQuery(part), toVariables(part))
    const answers = movedIssues.safeParse(data).data ?? {}
    for (const [index, { key }] of part.entries()) {
      const issue = queriedIssue.safeParse(answers[`p${index}`]?.issue?.movedTo).data
      if (issue !== undefined) moved.set(key, { key, outcome: 'moved', issue })
    }
  }
  return lookups.map((one) => moved.get(one.key) ?? toFound(one))
}

const movedIssues = z.record(
  z.string(),
  z
    .object({ issue: z.object({ movedTo: z.unknown() }).nullish() })
    .nullish()
    .catch(null),
)

function toMoveQuery(lookups: readonly Lookup[]): string {
  const declared = lookups.map((_, at) => `$p${at}: ID!, $n${at}: String!`).join(', ')
  const projects = lookups.map(
    (_, at) =>
      `p${at}: project(fullPath: $p${at}) { issue(iid: $n${at}) { movedTo { ${issueFields} } } }`,
  )
  return `query (${declared}) {\n${projects.join('\n')}\n}`
}

function toVariables(lookups: readonly Lookup[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lookups.flatMap(({ project, number }, at) => [
      [`p${at}`, project],
      [`n${at}`, String(number)],
    ]),
  )
}

function groupByProject(
  keys: readonly string[],
): readonly { readonly project: string; readonly numbers: readonly number[] }[] {
  const numbers = new Map<string, Set<number>>()
  for (const key of keys) {
    const [project = '', number = ''] = key.split('#')
    numbers.set(project, (numbers.get(project) ?? new Set()).add(Number(number)))
  }
  return [...numbers].map(([project, all]) => ({ project, numbers: [...all] }))
}
