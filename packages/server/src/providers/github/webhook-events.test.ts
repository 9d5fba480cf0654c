import { describe, expect, it } from 'vitest'
import { readWebhookSamples } from './testing/webhook-samples.ts'
import { parseGithubEvent } from './webhook-events.ts'

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

const samples = readWebhookSamples()

/** The first sample of an event, with some fields of one of its objects changed. */
function exampleOf(
  name: string,
  object = '',
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { payload = {} } = samples.find(({ event }) => event === name) ?? {}
  const changed = Object.assign({}, payload[object], changes)
  return object === '' ? { ...payload } : { ...payload, [object]: changed }
}

/** Reads a run that waits, in the form that GitHub sends, with some fields changed. */
const waits = (of: object = {}) =>
  parseGithubEvent(
    'deployment_protection_rule',
    bytes({
      action: 'requested',
      environment: 'release',
      event: 'workflow_dispatch',
      deployment_callback_url:
        'https://api.github.com/repos/acme/shop/actions/runs/23625057533/deployment_protection_rule',
      deployment: { id: 4_189_575_565, environment: 'release' },
      pull_requests: [],
      sha: '4'.repeat(40),
      ref: 'main',
      repository: {
        id: 1_192_056_896,
        full_name: 'acme/shop',
        html_url: 'https://github.com/acme/shop',
      },
      sender: { login: 'ada', id: 1 },
      installation: { id: 119_022_551 },
      ...of,
    }),
  )

describe('parseGithubEvent', () => {
  it('reads the status of a deployment with the deployment it is about', () => {
    const event = parseGithubEvent('deployment_status', bytes(exampleOf('deployment_status')))
    expect(event).toMatchObject({
      type: 'deploymentStatus',
      repository: { externalId: '186853002', fullName: 'Codertocat/Hello-World' },
      deployment: { externalId: '145988746', ref: 'master', environment: 'production' },
      status: { externalId: '209916254', state: 'success', logUrl: null },
    })
  })

  it('reads deployment, workflow_run, push, installation and ping', () => {
    const typeOf = (name: string) => parseGithubEvent(name, bytes(exampleOf(name)))
    expect(typeOf('deployment')).toMatchObject({ type: 'deployment' })
    expect(typeOf('workflow_run')).toMatchObject({ type: 'run', run: { attempt: 1 } })
    expect(typeOf('push')).toMatchObject({ type: 'push', isDeleted: false })
    expect(typeOf('installation')).toMatchObject({ type: 'access' })
    expect(typeOf('installation_repositories')).toMatchObject({ change: 'repositories' })
    expect(typeOf('github_app_authorization')).toMatchObject({ type: 'authorizationRevoked' })
    expect(typeOf('ping')).toEqual({ type: 'ping' })
  })

  it('reads which workflow made a deployment, and that none did', () => {
    const sample = exampleOf('deployment_status')
    const madeBy = (workflow: unknown) =>
      parseGithubEvent('deployment_status', bytes({ ...sample, workflow }))
    expect(madeBy({ id: 159_038 })).toMatchObject({ deployment: { workflowId: '159038' } })
    for (const other of [null, undefined, 'deploy.yml', { id: {} }]) {
      expect(madeBy(other)).toMatchObject({ deployment: { workflowId: null } })
    }
  })

  it('reads which run and job made a deployment', () => {
    const sample = exampleOf('deployment_status')
    const runOf = (of: object) => {
      const event = parseGithubEvent('deployment_status', bytes({ ...sample, ...of }))
      return event.type === 'deploymentStatus' ? event.deployment.run : event
    }
    const run = { id: 30_433_642, run_attempt: 2 }
    expect(runOf({ workflow_run: run, check_run: { name: 'deploy (api)' } })).toEqual({
      id: '30433642/2',
      job: 'deploy (api)',
    })
    expect(runOf({ workflow_run: { id: 7 }, check_run: {} })).toEqual({ id: '7/1', job: null })
    for (const none of [null, {}, { id: {} }, 'CI'])
      expect(runOf({ workflow_run: none })).toBeNull()
  })

  it('keeps every digit of ids that JavaScript cannot hold', () => {
    const text = JSON.stringify(exampleOf('deployment_status'))
      .replaceAll('209916254', '90071992547409931')
      .replaceAll('145988746', '90071992547409933')
    expect(parseGithubEvent('deployment_status', Buffer.from(text))).toMatchObject({
      deployment: { externalId: '90071992547409933' },
      status: { externalId: '90071992547409931' },
    })
  })

  it('takes a state or a status that nobody has heard of as unknown', () => {
    const status = exampleOf('deployment_status', 'deployment_status', { state: 'half_baked' })
    expect(parseGithubEvent('deployment_status', bytes(status))).toMatchObject({
      status: { state: 'unknown' },
    })
    const run = exampleOf('workflow_run', 'workflow_run', { status: 'levitating' })
    expect(parseGithubEvent('workflow_run', bytes(run))).toMatchObject({
      run: { state: 'unknown' },
    })
  })

  it('does without everything that may be missing', () => {
    const event = parseGithubEvent(
      'deployment_status',
      bytes({
        deployment: {
          id: 1,
          sha: 'a',
          ref: 'main',
          environment: 'live',
          created_at: '2026-01-01T00:00:00Z',
        },
        deployment_status: { id: 2, state: 'success', created_at: '2026-01-01T00:00:00Z' },
        repository: { id: 3, full_name: 'acme/shop' },
      }),
    )
    expect(event).toMatchObject({
      type: 'deploymentStatus',
      deployment: { task: 'deploy', creator: null, payloadText: '', headBranch: null },
      status: { environment: null, environmentUrl: null },
    })
  })

  it('cuts the payload of a deployment, in which only keys are looked for', () => {
    const payload = { note: 'x'.repeat(100_000) }
    const deployment = exampleOf('deployment', 'deployment', { payload })
    const event = parseGithubEvent('deployment', bytes(deployment))
    expect(event.type === 'deployment' && event.deployment.payloadText).toHaveLength(10_000)
  })

  it('reads every action of a pull request that changes it, and leaves the others', () => {
    const types = samples
      .filter(({ event }) => event === 'pull_request')
      .map(({ event, payload }) => [
        payload['action'],
        parseGithubEvent(event, bytes(payload)).type,
      ])
    const used = types.filter(([, type]) => type === 'pullRequest').map(([action]) => action)
    expect(new Set(used)).toEqual(new Set(['opened', 'closed', 'reopened', 'synchronize']))
    expect(types.length).toBeGreaterThan(used.length)
    expect(types.filter(([, type]) => type !== 'pullRequest' && type !== 'ignored')).toEqual([])
  })

  it('reads a pull request with its newest commit', () => {
    const opened = exampleOf('pull_request')
    expect(parseGithubEvent('pull_request', bytes(opened))).toMatchObject({
      type: 'pullRequest',
      repository: { externalId: '186853002', fullName: 'Codertocat/Hello-World' },
      pullRequest: {
        number: 2,
        url: 'https://github.com/Codertocat/Hello-World/pull/2',
        state: 'open',
        headSha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
        headRef: 'changes',
        isFork: false,
      },
    })
  })

  it.each([
    ['another repository', { repo: { id: 7 } }],
    ['one that is gone', { repo: null }],
    ['one that it does not name', {}],
  ])('reads a pull request from %s as one of a fork', (_from, of) => {
    const head = { ref: 'changes', sha: 'a'.repeat(40), ...of }
    const opened = exampleOf('pull_request', 'pull_request', { head })
    expect(parseGithubEvent('pull_request', bytes(opened))).toMatchObject({
      pullRequest: { isFork: true },
    })
  })

  it('reads a run that waits as GitHub sends it, with its number out of the address', () => {
    expect(waits()).toEqual({
      type: 'deploymentWaits',
      repository: {
        externalId: '1192056896',
        fullName: 'acme/shop',
        defaultBranch: 'main',
        url: 'https://github.com/acme/shop',
      },
      wait: {
        runId: '23625057533',
        attempt: null,
        environment: 'release',
        sha: '4'.repeat(40),
        ref: 'main',
        deploymentId: '4189575565',
        isFork: false,
        url: 'https://github.com/acme/shop/actions/runs/23625057533',
      },
    })
  })

  it('reads the commit of a run that waits from its deployment where the body has none', () => {
    const deployment = { id: 1, sha: '5'.repeat(40), ref: 'v1' }
    expect(waits({ sha: undefined, ref: undefined, deployment })).toMatchObject({
      wait: { sha: '5'.repeat(40), ref: 'v1', deploymentId: '1' },
    })
  })

  it.each([
    [
      'its pull request is of another repository',
      { pull_requests: [{ head: { repo: { id: 7 } } }] },
    ],
    ['the repository of its pull request is gone', { pull_requests: [{ head: { repo: null } }] }],
    ['its run is of another repository', { workflow_run: { id: 1, head_repository: { id: 7 } } }],
    ['the repository of its run is gone', { workflow_run: { id: 1, head_repository: null } }],
  ])('reads a run that waits as one of a fork where %s', (_why, of) => {
    expect(waits(of)).toMatchObject({ wait: { isFork: true } })
  })

  it.each([
    ['no run', { deployment_callback_url: 'https://evil.example/', workflow_run: null }],
    ['no commit', { sha: null, deployment: null }],
    ['no environment', { environment: undefined }],
    ['another action', { action: 'reviewed' }],
  ])('ignores with a reason a run that waits with %s', (_what, of) => {
    expect(waits(of)).toEqual({ type: 'ignored', reason: expect.stringMatching(/\.$/) })
  })

  it.each([
    ['not JSON', 'deployment', '<html><body>502</body></html>'],
    ['truncated', 'deployment', '{"deployment":{"id":1'],
    ['empty', 'deployment', ''],
    ['another value', 'deployment', '[1,2]'],
    ['without what it is about', 'deployment_status', '{"repository":{"id":1,"full_name":"a/b"}}'],
    ['a moment that is none', 'workflow_run', '{"workflow_run":{"updated_at":"yesterday"}}'],
    ['an event that is none of ours', 'issues', '{}'],
    ['named like a property', 'constructor', '{}'],
    ['an action that is none', 'installation', '{"action":"toString","installation":{"id":1}}'],
  ])('ignores with a reason what is %s', (_what, name, text) => {
    expect(parseGithubEvent(name, Buffer.from(text))).toEqual({
      type: 'ignored',
      reason: expect.stringMatching(/\.$/),
    })
  })
})
