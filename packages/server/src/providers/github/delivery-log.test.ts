import { describe, expect, it } from 'vitest'
import { createGithubDeliveryLog } from './delivery-log.ts'
import { openGithub } from './testing/open-github.ts'
import { parseGithubEvent } from './webhook-events.ts'

const { signal } = new AbortController()

async function openLog(status: 'failure' | 'all') {
  const opened = await openGithub()
  const { github, call, apiUrl, app, repository, ada, asked } = opened
  const deploy = async () => {
    github.activity.deploy(repository, { ref: 'main', creator: ada })
    await github.hooks.settled()
  }
  const log = createGithubDeliveryLog({ call, apiUrl, app, status })
  return { ...opened, log, deploy, asked }
}

describe('createGithubDeliveryLog', () => {
  it('has what GitHub could not hand over, as it was to be sent', async () => {
    const { log, deploy, repositoryId } = await openLog('failure')
    await deploy()
    const { deliveries, nextCursor } = await log.listDeliveries(undefined, signal)
    const contents = await Promise.all(
      deliveries.map(({ logId }) => log.getDelivery(logId, signal)),
    )
    const found = contents.find((content) => content?.headers['X-GitHub-Event'] === 'deployment')
    expect(nextCursor).toBeUndefined()
    expect(deliveries.map(({ deliveryId }) => deliveryId)).toContain(
      found?.headers['X-GitHub-Delivery'],
    )
    expect(parseGithubEvent('deployment', found?.body ?? Buffer.of())).toMatchObject({
      type: 'deployment',
      repository: { externalId: repositoryId },
    })
  })

  it('has the run that waits where its webhook was lost', async () => {
    const { log, github, repository, ada } = await openLog('failure')
    const { activity } = github
    const workflow = activity.addWorkflow(repository, { name: 'Deploy', file: 'deploy.yml' })
    const event = 'push'
    const run = activity.requestRun(repository, { workflow, event, ref: 'main', actor: ada })
    activity.protectEnvironment(repository, 'production', github.app)
    activity.beginDeployment(repository, { run, environment: 'production', creator: ada })
    await github.hooks.settled()
    const { deliveries } = await log.listDeliveries(undefined, signal)
    const contents = await Promise.all(
      deliveries.map(({ logId }) => log.getDelivery(logId, signal)),
    )
    const events = contents.map((content) =>
      parseGithubEvent(content?.headers['X-GitHub-Event'] ?? '', content?.body ?? Buffer.of()),
    )
    expect(events.filter(({ type }) => type === 'deploymentWaits')).toMatchObject([
      { wait: { runId: String(run.id), environment: 'production' } },
    ])
  })

  it('has also what another address took, where it is asked for all', async () => {
    const [failed, all] = await Promise.all([openLog('failure'), openLog('all')])
    for (const { github, deploy } of [failed, all]) {
      github.hooks.deliveries.reset()
      github.app.webhookUrl = `${github.state.origin}/github/settings`
      await deploy()
      const delivery = github.hooks.deliveries.list(github.app.id)[0]
      if (delivery !== undefined) Object.assign(delivery, { statusCode: 200, status: 'OK' })
    }
    expect((await failed.log.listDeliveries(undefined, signal)).deliveries).toEqual([])
    expect((await all.log.listDeliveries(undefined, signal)).deliveries).not.toEqual([])
  })

  it('goes on from a cursor, at the address that it knows', async () => {
    const { log, deploy, asked } = await openLog('all')
    for (let count = 0; count < 101; count += 1) await deploy()
    const first = await log.listDeliveries(undefined, signal)
    const second = await log.listDeliveries(first.nextCursor, signal)
    expect(first.deliveries).toHaveLength(100)
    expect(
      new Set([...first.deliveries, ...second.deliveries].map(({ logId }) => logId)).size,
    ).toBe(100 + second.deliveries.length)
    expect(asked()[1]).toContain(`cursor=${first.nextCursor}`)
  })

  it('loses no digit of a payload', async () => {
    const { log, sandbox } = await openLog('all')
    const body = '{"request":{"headers":{"X-A":"b","X-N":1},"payload":{"id":90071992547409931}}}'
    const fault = { kind: 'answer', status: 200, body } as const
    sandbox.faults.add({ provider: 'github', request: 'GET /app/hook', fault })
    expect(await log.getDelivery('1', signal)).toEqual({
      headers: { 'X-A': 'b' },
      body: Buffer.from('{"id":"90071992547409931"}'),
    })
  })

  it('knows nothing of what GitHub keeps no more', async () => {
    const { log } = await openLog('all')
    expect(await log.getDelivery('1', signal)).toBeUndefined()
  })
})
