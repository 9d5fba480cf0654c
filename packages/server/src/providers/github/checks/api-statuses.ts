import { cutText } from '@signalbox/contract'
import { z } from 'zod'
import { externalId, list, pageOrNull, textOrNull } from '../../codehosts/fields.ts'
import type {
  CodehostStatuses,
  CommitStatus,
  WrittenStatus,
} from '../../codehosts/commit-status.ts'
import { ProviderError } from '../../provider-error.ts'
import { readAnswer, readItems, type GithubRequests } from '../api-request.ts'

type Requests = Pick<GithubRequests, 'getFresh' | 'write'>

/** Names the permissions with which a status is written, the better one first. */
export const statusScopes = { checkRun: 'checks:write', commitStatus: 'statuses:write' } as const

const checkRun = z.object({
  id: externalId,
  html_url: pageOrNull,
  status: textOrNull,
  external_id: textOrNull,
  output: z
    .object({ annotations_count: z.number().catch(0) })
    .nullish()
    .catch(null),
})
const checkRuns = z.object({ check_runs: list })

const titleMax = 255
const summaryMax = 65_535
/** Limits the annotations of a request. */
const annotationsMax = 50
/** Limits the text of a commit status. */
const descriptionMax = 140

/**
 * Creates what writes beside commits: as a check run where the installation may write those, as a commit status otherwise.
 *
 * @param of.scopes what the installation may do. Example: `['checks:read', 'checks:write']`.
 * @see https://docs.github.com/en/rest/checks/runs
 * @see https://docs.github.com/en/rest/commits/statuses
 */
export function createStatusCalls(
  requests: Requests,
  of: { readonly at: (repositoryId: string) => string; readonly scopes: readonly string[] },
): CodehostStatuses {
  return {
    async write(repositoryId, status) {
      const repository = of.at(repositoryId)
      if (of.scopes.includes(statusScopes.checkRun)) {
        return writeCheckRun(requests, repository, status)
      }
      if (of.scopes.includes(statusScopes.commitStatus)) {
        return writeCommitStatus(requests, repository, status)
      }
      const code = 'missing_permission'
      throw new ProviderError({ provider: 'github', failure: 'forbidden', code })
    },
  }
}

/** An answer that was lost is found again by our id, so that a repeat makes no second check run. */
async function writeCheckRun(
  requests: Requests,
  repository: string,
  status: CommitStatus,
): Promise<WrittenStatus> {
  const id = status.externalId ?? (await findCheckRun(requests, repository, status))
  const changed = id === undefined ? undefined : await change(requests, repository, { id, status })
  const written = changed ?? (await create(requests, repository, status))
  return { kind: 'check_run', externalId: written.id, url: written.html_url }
}

async function findCheckRun(
  { getFresh }: Requests,
  repository: string,
  { sha, name, ownId }: CommitStatus,
): Promise<string | undefined> {
  const query = new URLSearchParams({ check_name: name, per_page: '100' }).toString()
  const answer = await getFresh(
    `${repository}/commits/${encodeURIComponent(sha)}/check-runs?${query}`,
  )
  const listed = readItems(readAnswer(answer, checkRuns).check_runs, checkRun)
  return listed.find(({ external_id: of }) => of === ownId)?.id
}

/**
 * Changes a check run; `undefined` where another one has to be made: it is gone, another App made it, it does not go back to where it
 * was, or it has annotations, which GitHub only adds to. Of several with one name, GitHub shows the newest.
 */
async function change(
  { write }: Requests,
  repository: string,
  { id, status }: { readonly id: string; readonly status: CommitStatus },
): Promise<z.output<typeof checkRun> | undefined> {
  if (status.annotations.length > 0) return undefined
  const path = `${repository}/check-runs/${encodeURIComponent(id)}`
  const answer = await write('PATCH', path, { json: toCheckRun(status), accept: [403, 404] })
  if (answer.status >= 400) return undefined
  const changed = readAnswer(answer, checkRun)
  const isAsWritten = changed.status === statusOf(status)
  return isAsWritten && (changed.output?.annotations_count ?? 0) === 0 ? changed : undefined
}

async function create(
  { write }: Requests,
  repository: string,
  status: CommitStatus,
): Promise<z.output<typeof checkRun>> {
  const json = { ...toCheckRun(status), head_sha: status.sha }
  const answer = await write('POST', `${repository}/check-runs`, { json })
  const created = readAnswer(answer, checkRun)
  const path = `${repository}/check-runs/${encodeURIComponent(created.id)}`
  for (let from = annotationsMax; from < status.annotations.length; from += annotationsMax) {
    await write('PATCH', path, { json: { output: toOutput(status, from) } })
  }
  return created
}

const statusOf = ({ state }: CommitStatus) => (state === 'pending' ? 'in_progress' : 'completed')

function toCheckRun(status: CommitStatus) {
  const { name, url, ownId, state } = status
  return {
    name,
    details_url: url,
    external_id: ownId,
    status: statusOf(status),
    ...(state !== 'pending' && { conclusion: state }),
    output: toOutput(status, 0),
  }
}

function toOutput({ title, summary, state, annotations }: CommitStatus, from: number) {
  const part = annotations.slice(from, from + annotationsMax)
  return {
    title: cutText(title, titleMax),
    summary: cutText(summary, summaryMax),
    ...(part.length > 0 && {
      annotations: part.map(({ path, line, message }) => ({
        path,
        start_line: line,
        end_line: line,
        annotation_level: state === 'failure' ? 'failure' : 'warning',
        message,
      })),
    }),
  }
}

/** The newest of a name counts, so that nothing has to be found again. */
async function writeCommitStatus(
  { write }: Requests,
  repository: string,
  { sha, name, state, title, url }: CommitStatus,
): Promise<WrittenStatus> {
  const json = {
    state: state === 'neutral' ? 'success' : state,
    context: name,
    description: cutText(title, descriptionMax),
    target_url: url,
  }
  await write('POST', `${repository}/statuses/${encodeURIComponent(sha)}`, { json })
  return { kind: 'commit_status', externalId: null, url: null }
}
