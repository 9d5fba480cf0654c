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
