import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  startReceiver,
  type Receiver,
} from '../../../server/src/providers/github/stand-in/testing/receiver.ts'
import { openSandbox } from '../testing/open-sandbox.ts'
import { stateOf } from './push.ts'
import { scenarios, type ScenarioName } from './scenarios.ts'

const sandbox = await openSandbox()
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
  sandbox.stage.open()
  sandbox.github.app.webhookUrl = receiver.url
  sandbox.github.install({ account: 'acme' })
})
afterEach(() => receiver.close())

/** Returns what the app was told of, in the order in which it happened. */
async function told(): Promise<readonly string[]> {
  const { hooks, app } = sandbox.github
  await hooks.settled()
  return hooks.deliveries
    .list(app.id)
    .toSorted((one, other) => one.deliveredAt.getTime() - other.deliveredAt.getTime())
    .map(({ event, action, json }) => [event, action ?? '', detailOf(json)].join(' ').trim())
}

function detailOf(json: string): string {
  const { deployment_status: status }: { deployment_status?: { state: string } } = JSON.parse(json)
  return status?.state ?? ''
}

const push = (scenario: ScenarioName) => sandbox.stage.push({ scenario, spacing: 'none' })

describe('a push', () => {
  it('is told with its run, its deployment and each of its statuses', async () => {
    const made = push('feature')
    expect(await told()).toEqual(
      expect.arrayContaining([
        'push',
        'workflow_run requested',
        'workflow_run in_progress',
        'deployment created',
        'deployment_status created pending',
        'deployment_status created in_progress',
        'deployment_status created success',
        'workflow_run completed',
      ]),
    )
    expect(made.messages.join()).toMatch(/ABC-1.*ABC-2/)
    expect(stateOf(made)).toBe('success')
  })

  it('takes seconds by the clock when it is not asked to happen at once', async () => {
    const made = sandbox.stage.push({ scenario: 'feature' })
    expect(stateOf(made)).toBe('waiting')
    sandbox.clock.advance(2_000)
    await expect.poll(() => stateOf(made)).toBe('pending')
    sandbox.clock.advance(60_000)
    await expect.poll(() => stateOf(made)).toBe('success')
  })

  it('has the messages that were given', () => {
    const messages = ['WEB2-1 Say hello']
    const made = sandbox.stage.push({ scenario: 'feature', spacing: 'none', messages })
    expect(made.messages).toEqual(messages)
  })

  it('ends as its scenario says', () => {
    for (const scenario of Object.keys(scenarios) as ScenarioName[]) {
      const made = push(scenario)
      expect(`${scenario} ${stateOf(made)}`).toBe(`${scenario} ${scenarios[scenario].ends}`)
      expect(made.environment).toBe(scenarios[scenario].environment)
    }
  })

  it('is followed by nothing after a reset', async () => {
    const made = sandbox.stage.push({ scenario: 'feature' })
    sandbox.reset()
    sandbox.scheduler.runAll()
    expect(stateOf(made)).toBe('waiting')
    expect(sandbox.stage.pushes()).toEqual([])
    expect(stateOf(push('feature'))).toBe('success')
  })
})

describe('what is deployed', () => {
  it('can be looked at where it is live', async () => {
    const look = async (environment: string) => {
      const answer = await fetch(`${sandbox.origin}/shop/${environment}`)
      return `${answer.status} ${await answer.text()}`
    }
    const made = push('feature')
    const { repository } = sandbox.github.codeHost.shop()
    const deployment = repository.deployments.get(made.deployment.id() ?? 0)
    expect(deployment?.statuses.at(-1)?.environmentUrl).toBe(`${sandbox.origin}/shop/staging`)
    expect(await look('staging')).toContain(made.sha.slice(0, 8))
    expect(await look('production')).not.toContain(made.sha.slice(0, 8))
    expect(await look('nowhere')).toMatch(/^404/)
  })

  const compare = (base: string, head: string) => {
    const { repository } = sandbox.github.codeHost.shop()
    const ofBase = [...repository.commits.keys()].indexOf(base)
    return [...repository.commits.keys()].indexOf(head) - ofBase
  }

  it('is an older commit for a rollback, again and again while there is one', () => {
    const live = push('feature')
    const first = push('rollback')
    const second = push('rollback')
    expect(compare(live.sha, first.sha)).toBeLessThan(0)
    expect(compare(first.sha, second.sha)).toBeLessThan(0)
    expect(first.messages).toEqual([])
  })

  it('is a commit on an older one for a hotfix, which lacks what is live', () => {
    const { repository } = sandbox.github.codeHost.shop()
    const live = repository.branches.get('main') ?? ''
    const fix = push('hotfix')
    expect(repository.commits.get(fix.sha)?.parents).not.toContain(live)
    expect(fix.ref).toMatch(/^hotfix\//)
  })
})

describe('the tests', () => {
  let service: Server
  let uploads: { url: string; authorization: string; body: string }[]

  beforeEach(async () => {
    uploads = []
    service = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        const { url = '', headers } = request
        uploads.push({ url, authorization: headers.authorization ?? '', body })
        response.end('{}')
      })
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => service.close())

  const dispatch = (sha: string, more: Readonly<Record<string, string>> = {}) => {
    const { repository, tests, ada } = sandbox.github.codeHost.shop()
    const inputs = { sha, test_run_id: 'run_01', ...more }
    const asked = { workflow: tests, event: 'workflow_dispatch', ref: 'main', actor: ada } as const
    return sandbox.github.activity.requestRun(repository, { ...asked, inputs })
  }

  it('pass or fail as the push that they test is to', async () => {
    const failing = push('tests-fail')
    const passing = push('feature')
    dispatch(failing.sha)
    dispatch(passing.sha)
    await expect.poll(() => [failing.tests, passing.tests]).toEqual([['failure'], ['success']])
  })

  it('are run again by somebody when they are flaky, on the same commit', async () => {
    const flaky = push('flaky')
    const run = dispatch(flaky.sha)
    await expect.poll(() => run.attempts.at(-1)?.conclusion).toBe('failure')
    sandbox.scheduler.runAll()
    await expect.poll(() => flaky.tests).toEqual(['failure', 'success'])
    expect(run.attempts.map(({ conclusion }) => conclusion)).toEqual(['failure', 'success'])
  })

  it('send their report with a token that was made for their run', async () => {
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    sandbox.stage.variables = { url, organization: 'org_01' }
    const made = push('tests-fail')
    const run = dispatch(made.sha)
    await expect.poll(() => made.report).toBe('200')
    const [upload] = uploads
    expect(upload?.url).toBe('/organizations/org_01/test-runs/run_01/report')
    expect(upload?.body).toContain('failures="1"')
    const issuer = sandbox.addresses.githubIssuer
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`))
    const token = upload?.authorization.replace('Bearer ', '') ?? ''
    const { payload } = await jwtVerify(token, keys, { issuer, audience: url })
    expect(payload).toMatchObject({ run_id: String(run.id), run_attempt: '1' })
    await expect(jwtVerify(token, keys, { issuer, audience: 'http://other' })).rejects.toThrow(
      'unexpected "aud" claim value',
    )
  })

  it('say that nobody took their report', async () => {
    sandbox.stage.variables = { url: 'http://127.0.0.1:1', organization: 'org_01' }
    const made = push('feature')
    dispatch(made.sha)
    await expect.poll(() => made.report).toBe('no connection')
  })

  it.each([
    [true, { config_version: '5' }, 'failure'],
    [false, { config_version: '5' }, 'success'],
    [true, {}, 'success'],
  ])('of a shop that a flag breaks (%s) with %j end with %s', async (value, inputs, end) => {
    const answer = `data:application/json,${JSON.stringify({ value })}`
    sandbox.stage.variables = {
      url: 'http://127.0.0.1:1',
      organization: 'org_01',
      breakingFlag: answer,
    }
    const run = dispatch(push('feature').sha, inputs)
    await expect.poll(() => run.attempts.at(-1)?.conclusion).toBe(end)
  })

  it('announce the issuer of their tokens', async () => {
    const issuer = sandbox.addresses.githubIssuer
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`)
    expect(await answer.json()).toMatchObject({ issuer, jwks_uri: `${issuer}/.well-known/jwks` })
  })
})
