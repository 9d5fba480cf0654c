import { Octokit } from '@octokit/rest'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { createGithubClient } from './testing/github-client.ts'

const sandbox = await openSandbox()

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

// Sends a POST once, because no plugin that repeats is loaded (`providers/testing/repeating-clients.test.ts`).
const octokit = (auth: string) =>
  new Octokit({ auth, baseUrl: sandbox.addresses.githubApi, log: quiet })

describe('the official client', () => {
  it('takes a token for an installation and pages through its repositories', async () => {
    const { github } = sandbox
    const owner = github.state.accounts.get('acme')
    if (owner === undefined) throw new Error('There is no acme.')
    for (const name of ['one', 'two', 'three']) github.activity.addRepository({ owner, name })
    const { id } = github.install({ account: 'acme' })
    const asApp = octokit(createGithubClient(sandbox).jwt())
    const { data } = await asApp.rest.apps.createInstallationAccessToken({ installation_id: id })
    const asInstallation = octokit(data.token)
    const repositories = await asInstallation.paginate(
      asInstallation.rest.apps.listReposAccessibleToInstallation,
      { per_page: 2 },
    )
    expect(repositories.map(({ full_name: name }) => name)).toEqual([
      'acme/one',
      'acme/two',
      'acme/three',
    ])
  })

  it('pages through the deliveries by their cursor, and asks for one again', async () => {
    const { github } = sandbox
    for (const account of ['acme', 'ada', 'grace']) github.install({ account })
    await github.hooks.settled()
    const asApp = octokit(createGithubClient(sandbox).jwt())
    const deliveries = await asApp.paginate(asApp.rest.apps.listWebhookDeliveries, { per_page: 2 })
    expect(deliveries.map(({ event }) => event)).toEqual(
      Array.from({ length: 3 }, () => 'installation'),
    )
    const [{ id: delivery_id } = { id: 0 }] = deliveries
    const { status } = await asApp.rest.apps.redeliverWebhookDelivery({ delivery_id })
    expect(status).toBe(202)
  })

  it('reads a refusal as what it is', async () => {
    const refused = octokit('ghs_unknown').rest.apps.listReposAccessibleToInstallation()
    await expect(refused).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('Bad credentials'),
    })
  })
})
