import { Octokit } from '@octokit/rest'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { createGithubClient } from './testing/github-client.ts'

const sandbox = await openSandbox()

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

// Sends a POST once, because no plugin that repeats is loaded (`providers/testing/repeating-clients.test.ts`).
const octokit = (auth: string) =>
  new Octokit({ auth, baseUrl: sandbox.addresses.githubApi, log: quiet })

/** Opens `acme/shop` with the app installed on it, and the client of that installation. */
async function openShop() {
  const { github } = sandbox
  const [owner, ada] = ['acme', 'ada'].map((login) => github.state.accounts.get(login))
  if (owner === undefined || ada === undefined) throw new Error('The seed has lost its accounts.')
  const repository = github.activity.addRepository({ owner, name: 'shop' })
  const { id } = github.install({ account: 'acme' })
  const asApp = octokit(createGithubClient(sandbox).jwt())
  const { data } = await asApp.rest.apps.createInstallationAccessToken({ installation_id: id })
  const { rest } = octokit(data.token)
  return { ...github, repository, ada, rest, of: { owner: 'acme', repo: 'shop' } }
}

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

  it('reads a pull request, and writes a check run and a status beside its head', async () => {
    const { activity, repository, ada, rest, of } = await openShop()
    const { number, headSha } = activity.propose(repository, { author: ada })
    const { data: pull } = await rest.pulls.get({ ...of, pull_number: number })
    expect(pull).toMatchObject({ state: 'open', merged: false, head: { sha: headSha } })
    const output = { title: 'Checking', summary: 'Nothing yet.' }
    const made = await rest.checks.create({
      ...of,
      name: 'configuration',
      head_sha: headSha,
      output,
    })
    expect(made).toMatchObject({ status: 201, data: { status: 'queued', conclusion: null } })
    const check_run_id = made.data.id
    await rest.checks.update({ ...of, check_run_id, conclusion: 'success' })
    const { data: checks } = await rest.checks.listForRef({ ...of, ref: headSha })
    expect(checks).toMatchObject({
      total_count: 1,
      check_runs: [{ id: check_run_id, status: 'completed', conclusion: 'success', output }],
    })
    const state = 'success'
    await rest.repos.createCommitStatus({ ...of, sha: headSha, state, context: 'ci' })
    const { data: statuses } = await rest.repos.listCommitStatusesForRef({ ...of, ref: headSha })
    expect(statuses).toMatchObject([{ state, context: 'ci', creator: { type: 'Bot' } }])
  })

  it('is refused more than fifty annotations, and a description of more than 140 characters', async () => {
    const { repository, rest, of } = await openShop()
    const sha = repository.branches.get('main') ?? ''
    const line = { path: 'a.ts', start_line: 1, end_line: 1, message: 'No.' }
    const annotations = Array.from({ length: 51 }, () => ({
      ...line,
      annotation_level: 'failure' as const,
    }))
    const output = { title: 'Much', summary: 'Too much.', annotations }
    const check = rest.checks.create({ ...of, name: 'lint', head_sha: sha, output })
    await expect(check).rejects.toMatchObject({ status: 422 })
    const description = 'x'.repeat(141)
    const status = rest.repos.createCommitStatus({ ...of, sha, state: 'success', description })
    await expect(status).rejects.toMatchObject({ status: 422 })
  })

  it('answers a run that waits: by ten reports, and then once', async () => {
    const { activity, app, repository, ada, rest, of } = await openShop()
    activity.protectEnvironment(repository, 'production', app)
    const workflow = activity.addWorkflow(repository, { name: 'Deploy', file: 'deploy.yml' })
    const request = { workflow, event: 'push', ref: 'main', actor: ada } as const
    const run = activity.requestRun(repository, request)
    activity.beginDeployment(repository, { run, environment: 'production', creator: ada })
    const review = (body: { readonly comment: string; readonly state?: 'approved' | 'rejected' }) =>
      rest.actions.reviewCustomGatesForRun({
        ...of,
        run_id: run.id,
        environment_name: 'production',
        ...body,
      })
    const refused = { status: 422 }
    await expect(review({ comment: 'x'.repeat(1_025) })).rejects.toMatchObject(refused)
    for (let count = 0; count < 10; count += 1) {
      expect(await review({ comment: 'Tests run.' })).toMatchObject({ status: 204 })
    }
    await expect(review({ comment: 'Tests run.' })).rejects.toMatchObject(refused)
    expect(await review({ state: 'approved', comment: 'Green.' })).toMatchObject({ status: 204 })
    await expect(review({ state: 'rejected', comment: 'No.' })).rejects.toMatchObject(refused)
  })
})
