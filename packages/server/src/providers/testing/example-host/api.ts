import { z } from 'zod'
import { callProvider, readProviderJson, type ProviderCall } from '../../call-provider.ts'
import type { CodehostApi } from '../../codehost.ts'
import type { CodehostCommit } from '../../codehosts/commit.ts'
import type { CodehostRun } from '../../codehosts/run.ts'
import type { WithAccessToken } from '../../grant.ts'
import { ProviderError } from '../../provider-error.ts'

const commitsOf = z.object({
  commits: z.array(z.object({ sha: z.string(), message: z.string() })),
})
const run = z.object({
  id: z.string(),
  inputs: z.record(z.string(), z.string()),
  state: z.enum(['running', 'passed']),
})
const runsOf = z.object({ runs: z.array(run) })

const workflowId = 'e2e.yml'

interface ExampleHostCall {
  readonly base: string
  readonly call: ProviderCall
  readonly withAccessToken: WithAccessToken
}

/** Opens Example Host: commits and workflows, and nothing of what a host may have besides. */
export function createExampleHostApi({
  base,
  call,
  withAccessToken,
}: ExampleHostCall): CodehostApi {
  const ask = <T>(path: string, answer: z.ZodType<T>, json?: unknown): Promise<T> =>
    withAccessToken(async (token) => {
      const given = await callProvider(call, {
        url: `${base}${path}`,
        headers: { authorization: `Bearer ${token}` },
        ...(json !== undefined && { method: 'POST', json }),
      })
      return answer.parse(readProviderJson(call.provider, given))
    })
  const listCommits = async (path: string): Promise<CodehostCommit[]> => {
    const { commits } = await ask(path, commitsOf)
    return commits.map((commit) => ({
      ...commit,
      author: null,
      at: null,
      url: null,
      parents: [],
    }))
  }
  const listRuns = async (): Promise<CodehostRun[]> =>
    (await ask('/runs', runsOf)).runs.map(({ id, inputs, state }) => ({
      externalId: id,
      workflowId,
      attempt: 1,
      state,
      correlation: inputs['test_run_id'] ?? null,
      isRequested: true,
      isByApp: true,
      headSha: inputs['sha'] ?? '',
      headBranch: 'main',
      url: `${base}/runs/${id}`,
      startedAt: null,
      updatedAt: call.now(),
    }))
  return {
    budget: () => undefined,
    listRepositories: () =>
      Promise.resolve({
        items: [
          { externalId: '1', fullName: 'acme/shop', defaultBranch: 'main', url: `${base}/shop` },
        ],
        nextPage: undefined,
      }),
    commits: {
      async compare(_repository, from, to) {
        const all = await listCommits('/commits')
        const [after, last] = [from, to].map((sha) => all.findIndex((one) => one.sha === sha))
        const commits = all.slice((after ?? 0) + 1, (last ?? 0) + 1)
        return { status: 'ahead', commits, total: commits.length, isTruncated: false }
      },
      async get(_repository, sha) {
        const [commit] = await listCommits(`/commits/${sha}`)
        if (commit !== undefined) return commit
        throw new ProviderError({ provider: call.provider, failure: 'notFound', code: 'no_commit' })
      },
    },
    pullRequests: { find: () => Promise.resolve(undefined) },
    statuses: {
      write: () =>
        Promise.reject(
          new ProviderError({ provider: call.provider, failure: 'rejected', code: 'no_statuses' }),
        ),
    },
    workflows: {
      list: () =>
        Promise.resolve([
          { externalId: workflowId, name: 'End to end', path: workflowId, state: 'active' },
        ]),
      readInterface: () => Promise.resolve({ isStartable: true, inputs: [], shownInputs: 'all' }),
      async start(_repository, { inputs }) {
        const { id } = await ask('/runs', run, { inputs })
        return { outcome: 'started', runId: id, runUrl: `${base}/runs/${id}` }
      },
      listRequestedRuns: async () => ({ runs: await listRuns(), isComplete: true }),
      findRun: async (_repository, id) =>
        (await listRuns()).find(({ externalId }) => externalId === id),
    },
  }
}
