import { describe, expect, it } from 'vitest'
import type { CommitStatus } from '../../codehosts/commit-status.ts'
import { openGithub } from '../testing/open-github.ts'

async function openStatuses(scopes: readonly string[] = ['checks:read', 'checks:write']) {
  const opened = await openGithub({ scopes })
  const [sha = ''] = opened.push('Change it')
  const { api, repository, repositoryId } = opened
  const status: CommitStatus = {
    sha,
    name: 'Signalbox: configuration',
    state: 'failure',
    title: 'production lacks stripeKey',
    summary: '| production | missing |',
    url: 'https://signalbox.example.com/acme/deployments/checks/chk_1',
    annotations: [],
    externalId: null,
    ownId: 'chk_1',
  }
  return {
    ...opened,
    status,
    write: (of: Partial<CommitStatus> = {}) =>
      api.statuses.write(repositoryId, { ...status, ...of }),
    runs: () => [...repository.checkRuns.values()],
    statuses: () => repository.commitStatuses,
  }
}

const annotationsOf = (count: number): CommitStatus['annotations'] =>
  Array.from({ length: count }, (_, index) => ({
    path: 'config.ts',
    line: index + 1,
    message: `Line ${index + 1}`,
  }))

describe('a check run', () => {
  it('is made with our id, the page and the whole text', async () => {
    const { write, runs, status } = await openStatuses()
    const written = await write()
    expect(runs()).toMatchObject([
      {
        sha: status.sha,
        name: 'Signalbox: configuration',
        externalId: 'chk_1',
        detailsUrl: status.url,
        status: 'completed',
        conclusion: 'failure',
        title: 'production lacks stripeKey',
        summary: '| production | missing |',
      },
    ])
    const [{ id } = { id: 0 }] = runs()
    expect(written).toEqual({
      kind: 'check_run',
      externalId: String(id),
      url: expect.stringMatching(/\/acme\/shop\/runs\/\d+$/),
    })
  })

  it.each([
    ['pending', 'in_progress', null],
    ['success', 'completed', 'success'],
    ['neutral', 'completed', 'neutral'],
    ['failure', 'completed', 'failure'],
  ] as const)('of the state %s is %s', async (state, inSuch, conclusion) => {
    const { write, runs } = await openStatuses()
    await write({ state })
    expect(runs()).toMatchObject([{ status: inSuch, conclusion }])
  })

  it('is changed, not made a second time, when its text changes', async () => {
    const { write, runs } = await openStatuses()
    const { externalId } = await write()
    const again = await write({ externalId, state: 'success', title: 'Ready in 3 environments' })
    expect(again.externalId).toBe(externalId)
    expect(runs()).toMatchObject([{ conclusion: 'success', title: 'Ready in 3 environments' }])
  })

  it('whose answer was lost is found by our id, and not made again', async () => {
    const { write, runs, sandbox, repositoryId } = await openStatuses()
    sandbox.faults.add({
      provider: 'github',
      request: `POST /repositories/${repositoryId}/check-runs`,
      fault: { kind: 'cut' },
    })
    await expect(write()).rejects.toMatchObject({ failure: 'ambiguous' })
    expect(await write({ title: 'Once more' })).toMatchObject({ externalId: String(runs()[0]?.id) })
    expect(runs()).toMatchObject([{ title: 'Once more' }])
  })

  it('of somebody else with the same name is left alone', async () => {
    const { write, runs } = await openStatuses()
    await write({ ownId: 'chk_other' })
    await write()
    expect(runs().map(({ externalId }) => externalId)).toEqual(['chk_other', 'chk_1'])
  })

  it('that is gone, or of another App, is made anew', async () => {
    const { write, runs, repository } = await openStatuses()
    const { externalId } = await write()
    repository.checkRuns.clear()
    const second = await write({ externalId })
    expect(second.externalId).not.toBe(externalId)
    Object.assign(runs()[0] ?? {}, { appId: 1 })
    const third = await write({ externalId: second.externalId })
    expect(third.externalId).not.toBe(second.externalId)
    expect(runs()).toHaveLength(2)
  })

  it('marks lines, fifty with each request', async () => {
    const { write, runs, asked } = await openStatuses()
    await write({ annotations: annotationsOf(120) })
    const [run] = runs()
    expect(run?.annotations).toHaveLength(120)
    expect(run?.annotations[119]).toEqual({
      path: 'config.ts',
      startLine: 120,
      endLine: 120,
      level: 'failure',
      message: 'Line 120',
    })
    const calls = asked().filter((request) => !request.startsWith('GET'))
    expect(calls.map((request) => request.split(' ')[0])).toEqual(['POST', 'PATCH', 'PATCH'])
  })

  it('marks no line twice, and none that is right again: GitHub shows the newest of a name', async () => {
    const { write, runs, requests, repositoryId, status } = await openStatuses()
    const annotations = annotationsOf(2)
    const { externalId } = await write({ annotations })
    await write({ annotations, externalId })
    expect(runs().at(-1)?.annotations).toHaveLength(2)
    const last = String(runs().at(-1)?.id)
    await write({ state: 'success', externalId: last })
    const answer = await requests.getFresh(
      `/repositories/${repositoryId}/commits/${status.sha}/check-runs`,
    )
    expect(JSON.parse(String(answer.body))).toMatchObject({
      total_count: 1,
      check_runs: [{ conclusion: 'success', output: { annotations_count: 0 } }],
    })
  })

  it('is refused with what GitHub says, for a commit that is not there', async () => {
    const { write } = await openStatuses()
    const sha = 'f'.repeat(40)
    await expect(write({ sha })).rejects.toMatchObject({ failure: 'rejected', code: 'http_422' })
  })
})

describe('a commit status', () => {
  it('is written where the installation may write no check runs', async () => {
    const { write, runs, statuses, status } = await openStatuses(['statuses:write'])
    expect(await write()).toEqual({ kind: 'commit_status', externalId: null, url: null })
    expect(runs()).toEqual([])
    expect(statuses()).toMatchObject([
      {
        sha: status.sha,
        context: 'Signalbox: configuration',
        state: 'failure',
        description: 'production lacks stripeKey',
        targetUrl: status.url,
      },
    ])
  })

  it.each([
    ['pending', 'pending'],
    ['success', 'success'],
    ['neutral', 'success'],
    ['failure', 'failure'],
  ] as const)('of the state %s is %s', async (state, written) => {
    const { write, statuses } = await openStatuses(['statuses:write'])
    await write({ state })
    expect(statuses()).toMatchObject([{ state: written }])
  })

  it('says its title in 140 characters, and cuts no emoji in half', async () => {
    const { write, statuses } = await openStatuses(['statuses:write'])
    await write({ title: `${'x'.repeat(139)}🚀 and more` })
    expect(statuses()).toMatchObject([{ description: 'x'.repeat(139) }])
  })
})

describe('an installation that may write neither', () => {
  it('is refused without asking GitHub', async () => {
    const { write, asked } = await openStatuses(['deployments:read'])
    await expect(write()).rejects.toMatchObject({
      failure: 'forbidden',
      code: 'missing_permission',
    })
    expect(asked()).toEqual([])
  })

  it('is refused as forbidden where GitHub knows better than the connection', async () => {
    const { write, github } = await openStatuses()
    const [installation] = github.state.installations.values()
    Object.assign(installation ?? {}, { permissions: { metadata: 'read' } })
    await expect(write()).rejects.toMatchObject({ failure: 'forbidden' })
  })
})
