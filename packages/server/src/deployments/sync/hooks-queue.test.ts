import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodehostApi } from '../../providers/codehost.ts'
import { systemAuthor } from '../../audit/audit-event.ts'
import { disconnectIntegration } from '../../integrations/connect/disconnect-integration.ts'
import { revokeIntegration } from '../../integrations/connect/revoke-integration.ts'
import type { IntegrationDeps } from '../../integrations/integration-deps.ts'
import { readConnectionHooks } from '../../integrations/webhooks/webhook-secrets.ts'
import { openPolledHost, type PolledHost } from '../testing/open-polled-host.ts'
import { enqueueDueHooks, hooksQueue, refreshHooks } from './hooks-queue.ts'
import { runSync } from './run-sync.ts'

let host: PolledHost
beforeAll(async () => {
  host = await openPolledHost()
})
afterAll(() => host.close())
beforeEach(() => host.reset())

const hooks = () => [...host.shop.project.hooks.values()]
const refresh = (deps = host.deps) => refreshHooks(deps, { orgId: host.orgId, id: host.id })
const connected = { state: 'connected', reason: null }

/** Adds the jobs that are due, and returns the integrations that they look at. */
async function lookAround(): Promise<unknown[]> {
  host.jobs.length = 0
  await enqueueDueHooks({ ...host.deps })
  return host.jobs.filter(({ queue }) => queue === hooksQueue).map(({ key }) => key)
}

describe('a sync', () => {
  it('is done when each project has its webhook, and counts them', async () => {
    expect(await host.sync()).toMatchObject({
      state: 'done',
      detail: null,
      progress: { repositories: { done: 1, total: 1 }, webhooks: { done: 1, total: 1 } },
    })
    expect(hooks()).toHaveLength(1)
    expect(await host.readState()).toEqual(connected)
  })

  it('says why a project has none', async () => {
    host.gitlab.settings.allowsLocalHooks = false
    const { state, detail } = await host.sync()
    expect([state, detail]).toEqual(['done', expect.stringContaining('refuses webhooks')])
    expect(hooks()).toEqual([])
    expect(await host.readState()).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('an administrator of GitLab allows'),
    })
    host.gitlab.settings.allowsLocalHooks = true
    expect(await host.sync('newest')).toMatchObject({ state: 'done', detail: null })
    expect(await host.readState()).toEqual(connected)
  })
})

describe('the webhook of a project', () => {
  const sent = () => host.sent.filter((line) => !line.startsWith('GET'))

  it('is kept as it is while nothing is wrong with it', async () => {
    await host.sync()
    host.sent.length = 0
    await refresh()
    expect(sent()).toEqual([])
    expect(hooks()).toHaveLength(1)
  })

  it.each([
    ['removed', () => host.shop.project.hooks.clear()],
    ['switched off', () => Object.assign(hooks()[0] ?? {}, { isDisabled: true })],
    [
      'sent to another address',
      () => Object.assign(hooks()[0] ?? {}, { url: 'http://127.0.0.1:8/' }),
    ],
    ['kept from deployments', () => Object.assign(hooks()[0] ?? {}, { triggers: new Set() })],
  ])('that is %s at GitLab is mended', async (_what, change) => {
    await host.sync()
    const [first] = hooks()
    const { url } = first ?? {}
    change()
    await refresh()
    expect(hooks()).toMatchObject([{ url, isDisabled: false }])
    expect(hooks()[0]?.triggers).toEqual(
      new Set(['deployment_events', 'merge_requests_events', 'pipeline_events']),
    )
    expect(await host.readState()).toEqual(connected)
  })

  it('is looked at hourly, and every ten minutes while something is wrong with it', async () => {
    await host.sync()
    const { clock } = host.sandbox
    expect(await lookAround()).toEqual([])
    clock.advance(61 * 60_000)
    expect(await lookAround()).toEqual([host.id])
    // Only once, whatever becomes of the job.
    expect(await lookAround()).toEqual([])
    Object.assign(hooks()[0] ?? {}, { disabledUntil: new Date(clock.now().getTime() + 3_600_000) })
    await refresh()
    expect(await host.readState()).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('tries again on its own'),
    })
    clock.advance(9 * 60_000)
    expect(await lookAround()).toEqual([])
    clock.advance(2 * 60_000)
    expect(await lookAround()).toEqual([host.id])
  })

  it('is one, however many nodes make it at once', async () => {
    await host.sync()
    await host.test.asOwner('delete from integration_webhooks')
    host.shop.project.hooks.clear()
    host.jobs.length = 0
    const gate = Promise.withResolvers<void>()
    const { faults } = host.sandbox
    // The first has read the list of webhooks, and has not made its own yet.
    const held = { kind: 'hold', until: gate.promise } as const
    faults.add({ provider: 'gitlab', request: 'POST ', fault: held })
    const first = refresh(host.openNode('one'))
    await expect.poll(() => faults.list(), { timeout: 10_000 }).toEqual([])
    await refresh(host.openNode('two'))
    gate.resolve()
    await first
    expect(hooks()).toHaveLength(1)
    // The one that had to wait looks again: it may know of more repositories.
    expect(host.jobs.filter(({ queue }) => queue === hooksQueue)).toMatchObject([
      { key: host.id, startAfter: expect.any(Date) },
    ])
    await refresh()
    expect(hooks()).toHaveLength(1)
  })

  it('is made by one job of a sync, and a second one, which a person has added, does not stop it', async () => {
    const { orgId, sandbox } = host
    const gate = Promise.withResolvers<void>()
    const held = { kind: 'hold', until: gate.promise } as const
    sandbox.faults.add({ provider: 'gitlab', request: 'POST ', fault: held })
    const first = host.sync()
    await expect.poll(() => sandbox.faults.list(), { timeout: 10_000 }).toEqual([])
    const stored = () => host.test.asOwner('select * from syncs')
    const before = await stored()
    host.jobs.length = 0
    const id = String(before[0]?.['id'])
    const { signal } = new AbortController()
    await runSync(host.openNode('two'), { orgId, id, signal, isLastTry: true })
    expect(await stored()).toEqual(before)
    // It looks again, should the first one have ended with its node.
    expect(host.jobs).toMatchObject([{ key: id, startAfter: expect.any(Date) }])
    gate.resolve()
    expect(await first).toMatchObject({ id, state: 'done', detail: null })
    expect(hooks()).toHaveLength(1)
  })

  it('is waited for, in words, by a sync while another worker makes it', async () => {
    const { sandbox } = host
    await host.sync()
    host.shop.project.hooks.clear()
    const gate = Promise.withResolvers<void>()
    const held = { kind: 'hold', until: gate.promise } as const
    sandbox.faults.add({ provider: 'gitlab', request: 'POST ', fault: held })
    const other = refresh(host.openNode('two'))
    await expect.poll(() => sandbox.faults.list(), { timeout: 10_000 }).toEqual([])
    expect(await host.sync()).toMatchObject({
      state: 'running',
      detail: 'Waiting for another sync, which creates the webhooks.',
    })
    gate.resolve()
    await other
    expect(await host.sync()).toMatchObject({ state: 'done', detail: null })
  })

  it.each([
    ['has ended', '-1 second'],
    ['is of a clock that was ahead', '1 hour'],
  ])(
    'is known as the newer holder of the lease wrote it, when the older one comes back late and its lease %s',
    async (_, rest) => {
      await host.sync()
      host.shop.project.hooks.clear()
      const gate = Promise.withResolvers<void>()
      const { faults } = host.sandbox
      faults.add({
        provider: 'gitlab',
        request: 'POST ',
        fault: { kind: 'hold', until: gate.promise },
      })
      const late = refresh(host.openNode('one'))
      await expect.poll(() => faults.list(), { timeout: 10_000 }).toEqual([])
      await host.test.asOwner(
        `update integration_webhooks set lease_until = now() + $1::interval`,
        [rest],
      )
      await refresh(host.openNode('two'))
      const stored = () =>
        host.test.asOwner('select hooks, fence, next_check_at from integration_webhooks')
      const newer = await stored()
      host.jobs.length = 0
      gate.resolve()
      await late
      expect(await stored()).toEqual(newer)
      // Two were made meanwhile. It looks again, and one of them goes.
      expect(host.jobs.map(({ queue }) => queue)).toContain(hooksQueue)
      await refresh()
      expect(hooks()).toHaveLength(1)
    },
  )

  it('has the secrets that are stored, where two nodes are the first to make it', async () => {
    await host.sync()
    host.shop.project.hooks.clear()
    await host.test.asOwner('delete from integration_webhooks')
    const node = host.openNode('one')
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const keys: typeof node.keys = {
      ...node.keys,
      async getSealer(...asked) {
        reached.resolve()
        await gate.promise
        return node.keys.getSealer(...asked)
      },
    }
    // The first has seen that there are none, and has not stored its own yet.
    const first = refresh({ ...node, keys })
    await reached.promise
    const second = refresh(host.openNode('two'))
    const blocked = () =>
      host.test.asOwner(`select 1 from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
    const waitUntilBlocked = async () => {
      await expect.poll(blocked).toHaveLength(1)
    }
    await Promise.race([second, waitUntilBlocked()])
    gate.resolve()
    expect(await Promise.allSettled([first, second])).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ])
    const { orgId } = host
    const known = await host.test.store.transaction({ orgId }, (tx) =>
      readConnectionHooks(host.deps, tx, { orgId, integrationId: host.id }),
    )
    expect(hooks()).toHaveLength(1)
    expect(known?.secrets).toContain(hooks()[0]?.signingToken)
  })

  it('is made by another node when the one that was at it has ended', async () => {
    await host.sync()
    host.shop.project.hooks.clear()
    const stuck = () => ({ hooks: { newSecrets: () => [], install: () => new Promise(() => {}) } })
    const node = host.openNode('two', () => stuck() as unknown as CodehostApi)
    void refresh(node)
    const lease = () =>
      host.test.asOwner(`select from integration_webhooks where lease_holder = 'two'`)
    await expect.poll(lease).toHaveLength(1)
    await refresh()
    expect(hooks()).toEqual([])
    await host.test.asOwner(`delete from nodes where id = 'two'`)
    await refresh()
    expect(hooks()).toHaveLength(1)
    await host.test.asOwner(`insert into nodes (id) values ('two')`)
  })

  it('is removed at the provider by a disconnection that comes while it is made', async () => {
    await host.sync()
    host.shop.project.hooks.clear()
    const gate = Promise.withResolvers<void>()
    const { faults } = host.sandbox
    const held = { kind: 'hold', until: gate.promise } as const
    faults.add({ provider: 'gitlab', request: 'POST ', fault: held })
    const making = refresh()
    await expect.poll(() => faults.list(), { timeout: 10_000 }).toEqual([])
    const { orgId, id } = host
    const removed: string[] = []
    const deps: IntegrationDeps = {
      ...host.deps,
      emit: () => Promise.resolve(),
      stateKey: Buffer.alloc(32),
      connectorOf: () => ({
        ...host.connector,
        revoke({ hooks: made = [] }) {
          removed.push(...made)
          return Promise.resolve()
        },
      }),
    }
    const request = { requestId: 'req_1', ip: '127.0.0.1', userAgent: undefined }
    const scope = { orgId }
    const actor = { author: systemAuthor, scope, orgId, organizationName: 'Acme', request }
    await disconnectIntegration(deps, actor, { kind: 'codehost' })
    const revoke = () => revokeIntegration(deps, { orgId, integrationId: id })
    await expect(revoke()).rejects.toThrow('webhooks_in_work')
    gate.resolve()
    await making
    await revoke()
    expect(removed).toEqual(hooks().map((hook) => expect.stringMatching(`#${hook.id}$`)))
    expect(removed).toHaveLength(1)
    expect(await host.test.asOwner('select from integration_webhooks')).toEqual([])
  })

  it('is one again where a lost answer has left two', async () => {
    await host.sync()
    const [first] = hooks()
    if (first === undefined) throw new Error('There is one')
    host.shop.project.hooks.set(1, { ...first, id: 1 })
    await refresh()
    expect(hooks().map(({ id }) => id)).toEqual([first.id])
  })

  it('costs nothing where its project is gone, or the role in it', async () => {
    const { gitlab, test, orgId } = host
    const others = ['acme/api', 'acme/app'].map((fullPath) =>
      gitlab.activity.addProject({ fullPath }),
    )
    await host.sync()
    gitlab.state.projects.delete(others[0]?.id ?? 0)
    others[1]?.members.set(host.shop.user.id, 'developer')
    await test.asOwner(
      `update repositories set tracked = false where org_id = $1 and full_name = 'acme/app'`,
      [orgId],
    )
    await refresh()
    expect(await host.readState()).toEqual(connected)
    await host.sync('newest')
    expect(
      await test.asOwner('select full_name from repositories where removed_at is not null'),
    ).toEqual([{ full_name: 'acme/api' }])
    expect(hooks()).toHaveLength(1)
  })
})
