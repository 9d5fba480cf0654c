import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import {
  addOrganization,
  openOrganization,
  type ConnectedOrganization,
} from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'

/** Two instances of GitLab, below a path each: the older one neither signs webhooks nor takes inputs. */
let newer: Sandbox
let older: Sandbox
let service: Connected
let otherId: string

const within = { timeout: 12_000, interval: 50 }

/** Returns settings of the first instance as those of a second one. */
const asSecond = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name.replace('GITLAB', 'GITLAB_2'), value]),
  )

beforeAll(async () => {
  ;[newer, older] = await Promise.all([startSandbox(), startSandbox()])
  Object.assign(older.gitlab.settings, { version: '17.3.7', hasSigningTokens: false })
  service = await openConnected({
    sandbox: newer,
    more: { ...newer.settingsOf(['gitlab']), ...asSecond(older.settingsOf(['gitlab'])) },
  })
  for (const sandbox of [newer, older]) await sandbox.register(service.apiUrl, ['gitlab'])
})
afterAll(async () => {
  await service.close()
  await older.close()
})

interface Shown {
  readonly [name: string]: unknown
}
interface Codehost extends Shown {
  readonly repositories: readonly { readonly id: string; readonly fullName: string }[]
}

/** Connects an organization with one of the instances, and waits until its webhooks stand. */
async function connect(organization: ConnectedOrganization, provider: string): Promise<Codehost> {
  const back = await organization.connect('codehost', provider)
  expect(back).toEqual({ status: 303, location: expect.stringMatching('integration=codehost$') })
  const { syncId } = await organization.ask<Shown>('POST /integrations/codehost/sync')
  const sync = () => organization.ask<Shown>(`GET /integrations/codehost/sync/${String(syncId)}`)
  await expect.poll(sync, within).toMatchObject({ state: 'done', detail: null })
  const codehost = await organization.ask<Codehost>('GET /integrations/codehost')
  expect(codehost).toMatchObject({ provider, state: 'connected', missingScopes: [] })
  return codehost
}

/** Deploys a commit of the shop of an instance, whose webhooks arrive in another order and twice. */
async function deploy({ gitlab: { codeHost, activity, hooks } }: Sandbox): Promise<string> {
  const { project, ada: user } = codeHost.shop()
  hooks.faults.hold()
  const deployment = activity.deploy(project, { ref: 'main', environment: 'staging', user })
  activity.setDeploymentStatus(project, deployment, 'running')
  activity.setDeploymentStatus(project, deployment, 'success')
  hooks.faults.repeatNext(1)
  await hooks.faults.release([1, 0])
  return String(deployment.id)
}

describe('two instances of one server', () => {
  it('are told apart by their addresses, in ids and in webhooks', async () => {
    const shops = [newer, older].map(({ gitlab }) => gitlab.codeHost.shop().project)
    // Each instance counts from the same number.
    expect(new Set(shops.map(({ id }) => id)).size).toBe(1)
    const other = await addOrganization(service, 'Globex')
    otherId = other.orgId
    const { choices } = await other.ask<Shown>('GET /integrations/codehost')
    const host = older.addresses.gitlab.replace('http://', '')
    expect(choices).toMatchObject([
      { provider: 'github' },
      { provider: 'gitlab', displayName: 'GitLab' },
      { provider: 'gitlab-2', displayName: `GitLab 2 (${host})` },
    ])
    const [first, second] = await Promise.all([
      connect(service, 'gitlab'),
      connect(other, 'gitlab-2'),
    ])
    const number = String(shops[0]?.id)
    expect(first.repositories[0]?.id).toBe(
      `${newer.addresses.gitlab.replace('http://', '')}/${number}`,
    )
    expect(second.repositories[0]?.id).toBe(`${host}/${number}`)
    for (const [organization, sandbox, provider] of [
      [service, newer, 'gitlab'],
      [other, older, 'gitlab-2'],
    ] as const) {
      const hooks = [...sandbox.gitlab.codeHost.shop().project.hooks.values()]
      expect(hooks).toMatchObject([{ url: expect.stringContaining(`/webhooks/${provider}/int_`) }])
      const deployed = await deploy(sandbox)
      const list = () =>
        organization.ask<{ items: readonly Shown[] }>('GET /webhook-deliveries?limit=1')
      await expect.poll(list, within).toMatchObject({ items: [{ provider, state: 'done' }] })
      const told = () =>
        service.asOwner(
          'select state, source from deployments where org_id = $1 and external_id = $2',
          [organization.orgId, deployed],
        )
      await expect.poll(told, within).toEqual([{ state: 'success', source: 'webhook' }])
    }
    // The version decides how a webhook proves where it comes from.
    const proofs = [newer, older].map(({ gitlab }) =>
      [...gitlab.codeHost.shop().project.hooks.values()].map(
        ({ signingToken }) => signingToken !== undefined,
      ),
    )
    expect(proofs).toEqual([[true], [false]])
  })

  it('have issues of their own, which share the connection of their instance', async () => {
    const { codeHost, activity } = older.gitlab
    const { project, ada: user } = codeHost.shop()
    codeHost.openIssue('Calculate the tax')
    const other = openOrganization({ ...service, orgId: otherId })
    const host = older.addresses.gitlab.replace('http://', '')
    const { choices } = await other.ask<{ choices: readonly Shown[] }>('GET /integrations/tracker')
    expect(choices).toContainEqual(
      expect.objectContaining({
        provider: 'gitlab-issues-2',
        displayName: `GitLab 2 Issues (${host})`,
        needs: null,
      }),
    )
    const tracker = { provider: 'gitlab-issues-2', values: {} }
    expect(await other.ask('POST /integrations/tracker/connection', tracker)).toMatchObject({
      state: 'connected',
      connectionOf: 'GitLab 2',
    })
    const triggers = () =>
      [...project.hooks.values()].map((hook) => hook.triggers.has('issues_events'))
    await expect.poll(triggers, within).toEqual([true])
    const commits = [{ message: 'Calculate it at the checkout (#1)', modified: [] }]
    const { sha } = activity.push(project, { branch: 'main', user, commits })
    const deployment = activity.deploy(project, { ref: 'main', environment: 'staging', user })
    activity.setDeploymentStatus(project, deployment, 'success')
    const issues = async () => {
      const { items } = await other.ask<{ items: readonly Shown[] }>('GET /deployments')
      const found = items.find((one) => one['sha'] === sha)
      return found && (await other.ask<Shown>(`GET /deployments/${String(found['id'])}`))['issues']
    }
    await expect
      .poll(issues, within)
      .toMatchObject([{ key: 'acme/shop#1', title: 'Calculate the tax', state: 'linked' }])
    const [issue] = project.issues.values()
    if (issue === undefined) throw new Error('There is no issue')
    activity.editIssue(project, issue, 'Calculate the tax by country')
    await expect.poll(issues, within).toMatchObject([{ title: 'Calculate the tax by country' }])
  })

  it('are one until the operator names a second one', async () => {
    const { choices } = await service.ask<{ choices: readonly Shown[] }>(
      'GET /integrations/codehost',
    )
    expect(choices.map(({ provider }) => provider)).not.toContain('gitlab-3')
  })
})
