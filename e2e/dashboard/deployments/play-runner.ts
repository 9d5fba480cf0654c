import type { CommitCheck, GateDecision } from '@signalbox/contract/rest'
import type { Connected } from '../../../packages/server/src/start/testing/open-connected.ts'

/** Plays the steps of a pipeline that Signalbox answers: it uploads definitions and asks gates, with a server key. */
export interface Runner {
  /** Uploads what a commit declares. Returns its check. */
  readonly upload: (commit: Commit, definition: object) => Promise<CommitCheck>
  /** Asks whether a commit may be deployed. Asking again for the same run returns the same decision as it stands. */
  readonly ask: (commit: Commit, environment: string) => Promise<GateDecision>
}

interface Commit {
  readonly sha: string
  readonly ref?: string
}

/** Returns the hash of a commit of the tests, by its beginning. */
export const toSha = (start: string) => start.padEnd(40, '0123456789abcdef')

/** Makes a server key of the organization, with which the steps authenticate themselves. */
export async function openRunner({ ask, apiUrl, orgId }: Connected): Promise<Runner> {
  const { secret } = await ask<{ readonly secret: string }>('POST /api-keys', {
    name: 'pipeline',
    kind: 'm2m',
  })
  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await fetch(`${apiUrl}/organizations/${orgId}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Answer
  }
  return {
    upload: ({ sha, ref = 'main' }, definition) =>
      post('/commit-checks', { repository: 'acme/shop', sha, ref, schema: 'web', definition }),
    ask: ({ sha, ref = 'main' }, environment) =>
      post('/gate', {
        repository: 'acme/shop',
        sha,
        ref,
        environment,
        run: `run-${sha.slice(0, 7)}`,
        attempt: 1,
        url: 'https://ci.example.com/runs/1',
      }),
  }
}

/**
 * Plays a commit whose definition production is not ready for, and a deployment of it that waits for a person at a gate. The commit
 * has to be there where a code host is connected.
 */
export async function playRunner(
  service: Connected,
  sha = toSha('4f1c2aa'),
): Promise<{ readonly check: CommitCheck; readonly decision: GateDecision }> {
  const { items } = await service.ask<{ items: { id: string; name: string }[] }>(
    'GET /environments',
  )
  await service.ask('POST /gates', {
    name: 'Production',
    environmentIds: items.filter(({ name }) => name === 'production').map(({ id }) => id),
    repositories: [],
    mode: 'enforce',
    rules: [{ rule: 'configuration' }, { rule: 'approvals', count: 1, members: [] }],
  })
  const runner = await openRunner(service)
  const commit = { sha }
  return {
    check: await runner.upload(commit, { mapsKey: { type: 'string', tier: 'secret' } }),
    decision: await runner.ask(commit, 'production'),
  }
}
