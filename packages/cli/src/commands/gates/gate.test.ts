import { beforeEach, describe, expect, it } from 'vitest'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()
const idToken = `${'e'.repeat(40)}.${'p'.repeat(40)}.${'s'.repeat(40)}`
const sha = '4f1c2aa'.padEnd(40, '0')
const pipeline = {
  GITLAB_CI: 'true',
  CI_PROJECT_PATH: 'acme/shop',
  CI_COMMIT_SHA: sha,
  CI_COMMIT_REF_NAME: 'main',
  CI_PIPELINE_ID: '812',
  CI_PIPELINE_URL: 'https://git.example.com/acme/shop/-/pipelines/812',
}
const gate = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  place.run(['gate', ...args], { env: { ...pipeline, ...env } })
const asked = () => server.seen.filter(({ path }) => path.endsWith('/gate'))
/** Fails what is sent. A call is sent three times before it counts as failed, and the first one of a command reads. */
const fail = (method: 'GET' | 'POST', calls: number) =>
  server.failures.push(
    ...Array.from({ length: 3 * calls }, () => ({
      status: 503,
      code: 'db_unavailable' as const,
      method,
    })),
  )

beforeEach(() => {
  server.state.tokens.add(idToken)
})

describe('a deployment that asks', () => {
  it('with the token of its job names the environment alone, and with a key its run too', async () => {
    const ofJob = { SIGNALBOX_TOKEN: '', SIGNALBOX_ORGANIZATION: 'acme' }
    const staging = ['--environment', 'staging']
    const result = await gate(staging, { ...ofJob, SIGNALBOX_ID_TOKEN: idToken })
    expect(result).toMatchObject({ code: 0 })
    await gate(staging)
    const url = pipeline.CI_PIPELINE_URL
    const known = { repository: 'acme/shop', sha, ref: 'main', run: '812' }
    expect(asked().map(({ body }) => body)).toEqual([
      { environment: 'staging', url },
      { environment: 'staging', url, ...known },
    ])
    expect(asked()[0]).toMatchObject({
      path: '/organizations/acme/gate',
      headers: { authorization: `Bearer ${idToken}` },
    })
    expect(result.stdout + result.stderr).not.toContain(idToken)
  })
})

describe('a server that does not answer', () => {
  it('ends a deployment with 7, and lets it go on only where the pipeline says so', async () => {
    fail('GET', 2)
    fail('POST', 2)
    for (const _ of ['the organization is not known', 'the decision is not known']) {
      expect(await gate(['--environment', 'staging'])).toMatchObject({ code: 7 })
      const result = await gate(['--environment', 'staging', '--if-unreachable', 'pass'])
      expect(result.code).toBe(0)
      expect(result.stderr).toContain('goes on because of --if-unreachable pass')
    }
    expect(server.failures).toEqual([])
  })

  it('is asked again until the time is over', async () => {
    fail('GET', 1)
    const result = await gate(['--environment', 'staging', '--wait', '3s'])
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('may go on')
    expect(server.failures).toEqual([])
  })

  it('lets nothing go on that it has said waits', async () => {
    const args = ['--environment', 'production', '--wait', '2s', '--if-unreachable', 'pass']
    const waiting = gate(args)
    await expect.poll(asked).toHaveLength(1)
    fail('POST', 3)
    expect(await waiting).toMatchObject({ code: 7, stdout: '' })
  })

  it('is told from one that refuses: that ends the deployment at once', async () => {
    server.state.tokens.clear()
    const args = ['--environment', 'staging', '--wait', '1m', '--if-unreachable', 'pass']
    expect(await gate(args)).toMatchObject({ code: 4 })
    // The first names the organization.
    expect(server.seen).toHaveLength(1)
  })
})
