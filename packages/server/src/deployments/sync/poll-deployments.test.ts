import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPolledHost, type PolledHost } from '../testing/open-polled-host.ts'
import { pollDeployments } from './poll-deployments.ts'

let host: PolledHost
beforeAll(async () => {
  host = await openPolledHost()
})
afterAll(() => host.close())
beforeEach(async () => {
  await host.reset()
  await host.sync()
  host.events.length = 0
})

const minute = 60_000
const poll = (deps = host.deps) =>
  pollDeployments(deps, { orgId: host.orgId, id: host.id }, new AbortController().signal)

function deploy(environment = 'production') {
  const { activity } = host.gitlab
  const { project, user } = host.shop
  const deployment = activity.deploy(project, { ref: 'main', environment, user })
  return {
    external: String(deployment.id),
    moveTo: (status: Parameters<typeof activity.setDeploymentStatus>[2]) =>
      activity.setDeploymentStatus(project, deployment, status),
  }
}

it('tells of an approval that is waited for, which no webhook does', async () => {
  const { external, moveTo } = deploy()
  moveTo('blocked')
  expect(await host.readDeployments()).toEqual([])
  await poll()
  expect(await host.readDeployments()).toEqual([{ external, state: 'waiting' }])
})

it('tells of what lost webhooks were about, once', async () => {
  const { external, moveTo } = deploy()
  moveTo('running')
  await poll()
  moveTo('success')
  host.sandbox.clock.advance(5 * minute)
  // Control: nothing else tells of it.
  expect(await host.readDeployments()).toEqual([{ external, state: 'in_progress' }])
  await poll()
  expect(await host.readDeployments()).toEqual([{ external, state: 'success' }])
  const succeeded = () => host.events.filter((event) => event === 'deployment.succeeded')
  expect(succeeded()).toHaveLength(1)
  // The next question overlaps the last one, and so does that of another node.
  host.sandbox.clock.advance(5 * minute)
  await Promise.all([poll(), poll(host.openNode('two'))])
  expect(succeeded()).toHaveLength(1)
  const statuses = await host.test.asOwner('select state from deployment_statuses order by state')
  expect(statuses).toEqual([{ state: 'in_progress' }, { state: 'success' }])
})

it('loses nothing of the time in which the clock was ahead', async () => {
  await poll()
  await host.test.asOwner(
    `update repositories set deployments_read_until = deployments_read_until + interval '10 years'`,
  )
  const { external, moveTo } = deploy()
  moveTo('success')
  host.sandbox.clock.advance(30 * minute)
  await poll()
  expect(await host.readDeployments()).toEqual([{ external, state: 'success' }])
})

it('finds what GitLab lists a little later than it is', async () => {
  await poll()
  const { external, moveTo } = deploy()
  moveTo('success')
  const [row] = [...host.shop.project.deployments.values()]
  // A replica that lags shows it after the next question, with its own time.
  if (row !== undefined) host.shop.project.deployments.delete(row.id)
  host.sandbox.clock.advance(5 * minute)
  await poll()
  expect(await host.readDeployments()).toEqual([])
  if (row !== undefined) host.shop.project.deployments.set(row.id, row)
  host.sandbox.clock.advance(5 * minute - 1)
  await poll()
  expect(await host.readDeployments()).toEqual([{ external, state: 'success' }])
})

it('reads all that changed, however many pages there are', async () => {
  await poll()
  const externals = Array.from({ length: 12 }, () => deploy().external)
  const api = host.apiWith(['api'])
  // Pages of one deployment, as a thousand deployments are pages of a hundred.
  const list: typeof api.deployments.list = async (project, page = '0', since) => {
    const { items } = await api.deployments.list(project, undefined, since)
    const next = Number(page) + 1
    return {
      items: items.slice(next - 1, next),
      nextPage: next < items.length ? String(next) : undefined,
    }
  }
  const deployments = { ...api.deployments, list }
  await poll(host.openNode('one', () => ({ ...api, deployments })))
  expect((await host.readDeployments()).map(({ external }) => external)).toEqual(externals)
})

it('announces nothing of before the connection', async () => {
  const { moveTo } = deploy()
  moveTo('success')
  await host.test.asOwner('update integrations set connected_at = $1', [
    new Date(host.sandbox.clock.now().getTime() + minute),
  ])
  await poll()
  expect(await host.readDeployments()).toHaveLength(1)
  expect(host.events.filter((event) => event === 'deployment.succeeded')).toEqual([])
})

it('goes on with the other projects where one is gone', async () => {
  const { activity, state } = host.gitlab
  const gone = activity.addProject({ fullPath: 'acme/api' })
  await host.sync('newest')
  state.projects.delete(gone.id)
  const { external, moveTo } = deploy('review/42')
  moveTo('running')
  await poll()
  expect(await host.readDeployments()).toEqual([{ external, state: 'in_progress' }])
})

it('asks nothing once the connection has ended', async () => {
  await host.test.asOwner(`update integrations set state = 'reauth_required'`)
  host.sent.length = 0
  await poll()
  expect(host.sent).toEqual([])
})
