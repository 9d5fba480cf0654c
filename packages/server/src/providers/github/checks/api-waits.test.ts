import { describe, expect, it } from 'vitest'
import { parseGithubEvent } from '../webhook-events.ts'
import { openGithub } from '../testing/open-github.ts'

type Opened = Awaited<ReturnType<typeof openGithub>>

/** Returns the last waiting run that the webhooks told of. */
async function lastWait({ github, sandbox }: Pick<Opened, 'github' | 'sandbox'>) {
  await github.hooks.settled()
  const deliveries = github.hooks.deliveries.list(sandbox.github.app.id)
  const last = deliveries.find(({ event }) => event === 'deployment_protection_rule')
  const event = parseGithubEvent('deployment_protection_rule', Buffer.from(last?.json ?? ''))
  if (event.type !== 'deploymentWaits') throw new Error(`It is ${event.type}.`)
  return event
}

async function openWaits() {
  const opened = await openGithub()
  const { github, repository, ada, repositoryId } = opened
  const { activity } = github
  const workflow = activity.addWorkflow(repository, { name: 'Deploy', file: 'deploy.yml' })
  activity.protectEnvironment(repository, 'production', github.app)
  opened.push('Ship it')
  const run = activity.requestRun(repository, { workflow, event: 'push', ref: 'main', actor: ada })
  activity.beginDeployment(repository, { run, environment: 'production', creator: ada })
  const { wait } = await lastWait(opened)
  const { waits } = opened.api
  return {
    ...opened,
    activity,
    workflow,
    run,
    wait,
    waits,
    status: () => run.attempts.at(-1)?.status,
    approve: (text = 'All is well.') =>
      waits.answer(repositoryId, wait, { state: 'approved', text }),
  }
}

describe('a run that waits', () => {
  it('is told by a webhook, with the commit and the environment, and without its attempt', async () => {
    const { wait, run, repository, addresses } = await openWaits()
    const [deployment] = repository.deployments.values()
    expect(wait).toEqual({
      runId: String(run.id),
      attempt: null,
      environment: 'production',
      sha: run.headSha,
      ref: 'main',
      deploymentId: String(deployment?.id),
      isFork: false,
      url: `${addresses.githubWeb}/acme/shop/actions/runs/${run.id}`,
    })
  })

  it('is read with its attempt, which counts on when it is started again', async () => {
    const { api, wait, repositoryId, activity, repository, run, ada, github, sandbox } =
      await openWaits()
    expect(await api.waits.read(repositoryId, wait)).toEqual({ ...wait, attempt: 1 })
    activity.finishRun(repository, run, 'cancelled')
    activity.rerun(repository, run, ada)
    activity.beginDeployment(repository, { run, environment: 'production', creator: ada })
    const again = await lastWait({ github, sandbox })
    expect(again.wait.runId).toBe(wait.runId)
    expect(await api.waits.read(repositoryId, again.wait)).toMatchObject({ attempt: 2 })
  })

  it('is gone with its run', async () => {
    const { api, wait, repositoryId, repository } = await openWaits()
    repository.runs.clear()
    expect(await api.waits.read(repositoryId, wait)).toBeUndefined()
    await expect(api.waits.comment(repositoryId, wait, 'Soon.')).rejects.toMatchObject({
      failure: 'notFound',
    })
  })

  it('is of a fork by what its run says, although its webhook says nothing of it', async () => {
    const { api, repositoryId, activity, repository, workflow, ada, github, sandbox } =
      await openWaits()
    const fork = activity.fork(repository, ada)
    const pullRequest = activity.propose(repository, { author: ada, from: fork })
    const event = 'pull_request'
    const run = activity.requestRun(repository, {
      workflow,
      event,
      ref: '',
      actor: ada,
      pullRequest,
    })
    activity.beginDeployment(repository, { run, environment: 'production', creator: ada })
    const { wait } = await lastWait({ github, sandbox })
    expect(wait).toMatchObject({ sha: pullRequest.headSha, isFork: false })
    expect(await api.waits.read(repositoryId, wait)).toMatchObject({ isFork: true })
  })

  it('says what it waits for, ten times, in 1,024 characters each', async () => {
    const { waits, wait, repositoryId, repository } = await openWaits()
    for (let count = 1; count <= waits.commentsMax; count += 1) {
      await waits.comment(repositoryId, wait, `${count} ${'x'.repeat(2_000)}`)
    }
    const [held] = repository.waits
    expect(held?.comments.map(({ length }) => length)).toEqual(Array(10).fill(waits.commentLength))
    const eleventh = waits.comment(repositoryId, wait, 'Still waiting.')
    await expect(eleventh).rejects.toMatchObject({ failure: 'rejected' })
  })

  it('goes on once it is approved, with the reason', async () => {
    const { approve, repository, status } = await openWaits()
    expect(status()).toBe('waiting')
    await approve('Tests are green.')
    expect(repository.waits).toMatchObject([
      { answer: { state: 'approved', comment: 'Tests are green.' } },
    ])
    expect(status()).toBe('queued')
  })

  it('ends once it is rejected', async () => {
    const { waits, wait, repositoryId, run } = await openWaits()
    await waits.answer(repositoryId, wait, { state: 'rejected', text: 'Forks do not deploy.' })
    expect(run.attempts.at(-1)).toMatchObject({ status: 'completed', conclusion: 'failure' })
  })

  it('keeps its first answer, and a second one is no error', async () => {
    const { approve, waits, wait, repositoryId, repository } = await openWaits()
    await approve('First.')
    await waits.answer(repositoryId, wait, { state: 'rejected', text: 'Second.' })
    expect(repository.waits).toMatchObject([{ answer: { state: 'approved', comment: 'First.' } }])
  })

  it('is never answered at the address that its webhook names', async () => {
    const { approve, asked, run, repositoryId } = await openWaits()
    await approve()
    expect(asked().at(-1)).toBe(
      `POST /repositories/${repositoryId}/actions/runs/${run.id}/deployment_protection_rule`,
    )
  })

  it('is not answered without the permission', async () => {
    const { approve, github, status } = await openWaits()
    const [installation] = github.state.installations.values()
    Object.assign(installation ?? {}, { permissions: { metadata: 'read', deployments: 'read' } })
    await expect(approve()).rejects.toMatchObject({ failure: 'forbidden' })
    expect(status()).toBe('waiting')
  })
})
