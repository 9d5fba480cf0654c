import { describe, expect, it } from 'vitest'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()

const sha = '4f1c2aa'.padEnd(40, '0')
const report = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  place.run(['deployments', 'report', ...args], { env })
const bodies = () => server.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)
const started = ['--environment', 'production', '--state', 'in_progress']

describe('a report of a deployment', () => {
  it('says what is deployed where, and shows the page of the deployment', async () => {
    const source = ['--repository', 'acme/shop', '--sha', sha, '--ref', 'main']
    const url = 'https://shop.example.com'
    const details = ['--id', 'deploy-7', '--url', url, '--message', 'ABC-1 Ship']
    const result = await report([...started, ...source, ...details])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain('acme/shop 4f1c2aa in production: in_progress')
    expect(result.stdout).toMatch(/\/deployments\/dep_/)
    expect(bodies()).toEqual([
      {
        repository: 'acme/shop',
        sha,
        ref: 'main',
        environment: 'production',
        state: 'in_progress',
        externalId: 'deploy-7',
        url,
        commitMessages: ['ABC-1 Ship'],
      },
    ])
  })

  it('names the same deployment in each step of a run', async () => {
    const env = {
      FORGEJO_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SHA: sha,
      GITHUB_REF_NAME: 'main',
      GITHUB_RUN_ID: '12',
    }
    const ended = ['--environment', 'production', '--state', 'cancelled']
    await Promise.all([report(started, env), report(ended, env)])
    const same = { repository: 'acme/shop', sha, ref: 'main', externalId: '12:production' }
    expect(bodies()).toHaveLength(2)
    expect(bodies()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...same, state: 'in_progress' }),
        expect.objectContaining({ ...same, state: 'error' }),
      ]),
    )
  })

  it('that lacks something says what, and nothing is sent', async () => {
    const results = await Promise.all([
      report(['--environment', 'production', '--state', 'success']),
      report(['--environment', 'a', '--sha', sha, '--repository', 'a/b', '--state', 'done']),
    ])
    expect(results.map(({ code }) => code)).toEqual([2, 2])
    expect(results[0]?.stderr).toContain('--sha is missing.')
    expect(results[1]?.stderr).toContain('--state does not know done.')
    expect(server.seen).toEqual([])
  })

  it('is not sent by a dry run', async () => {
    const args = [...started, '--sha', sha, '--repository', 'acme/shop', '--dry-run']
    expect((await report(args)).stdout).toContain('would report acme/shop 4f1c2aa in production')
    expect(server.seen).toEqual([])
  })
})
