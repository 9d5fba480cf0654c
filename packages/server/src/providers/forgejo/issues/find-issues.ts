import type { FoundIssue } from '../../tracker.ts'
import { readAnswer, type ForgejoRequests } from '../api-request.ts'
import { forgejoIssue } from './issue-shapes.ts'

const redirects = [301, 302, 307, 308]
const noRepository = 'Forgejo shows no repository of this name to the person who connected.'
const pullRequest = 'It is the number of a pull request.'

/**
 * Finds what became of each key, such as `acme/shop#12`. The API has no call for several numbers, so each issue is one call. A
 * repository that is not shown is asked for once.
 *
 * @throws {ProviderError}
 */
export async function findForgejoIssues(
  requests: Pick<ForgejoRequests, 'get'>,
  keys: readonly string[],
): Promise<readonly FoundIssue[]> {
  const visibility = new Map<string, boolean>()
  const isShown = async (repository: string) => {
    const known = visibility.get(repository)
    if (known !== undefined) return known
    const { status } = await requests.get(`/repos/${repository}`, { accept: [...redirects, 404] })
    visibility.set(repository, status !== 404)
    return status !== 404
  }
  const outcomes: FoundIssue[] = []
  for (const key of new Set(keys)) {
    const [repository = '', number = ''] = key.split('#')
    if (visibility.get(repository) === false || !isName(repository)) {
      outcomes.push({ key, outcome: 'noProject', reason: noRepository })
      continue
    }
    const answer = await getIssue(requests, `/repos/${repository}/issues/${number}`)
    if (answer.status === 200) {
      visibility.set(repository, true)
      outcomes.push(toFound(key, readAnswer(answer, forgejoIssue)))
    } else if (await isShown(repository)) outcomes.push({ key, outcome: 'absent' })
    else outcomes.push({ key, outcome: 'noProject', reason: noRepository })
  }
  return outcomes
}

/** A name has an owner, and none is made of dots alone, which addresses would leave out. */
function isName(repository: string): boolean {
  const parts = repository.split('/')
  return parts.length === 2 && parts.every((part) => !/^\.+$/.test(part))
}

function toFound(key: string, issue: ReturnType<(typeof forgejoIssue)['parse']>): FoundIssue {
  if (issue === undefined) return { key, outcome: 'noIssue', reason: pullRequest }
  return { key, outcome: issue.key.toLowerCase() === key ? 'found' : 'moved', issue }
}

const issuePath = /\/api\/v1(\/repos\/[^/?#]+\/[^/?#]+\/issues\/\d{1,9})$/

/** Reads an issue, also under the name that its repository has by now. Where a redirect leads is for us to say. */
async function getIssue({ get }: Pick<ForgejoRequests, 'get'>, path: string) {
  const first = await get(path, { accept: [...redirects, 404] })
  const next = redirects.includes(first.status)
    ? issuePath.exec(first.headers['location'] ?? '')?.[1]
    : undefined
  return next === undefined ? first : get(next, { accept: [...redirects, 404] })
}
