import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { generateRootKey } from '../../crypto/root-key.ts'
import type { Grant } from '../../providers/grant.ts'
import { jiraRefreshLoss } from '../../providers/jira/connector.ts'
import { linearRefreshLoss } from '../../providers/linear/connector.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { parseDatabaseUrl } from '../../store/connection-target.ts'
import { withOwner } from '../../store/owner.ts'
import type { Tx } from '../../store/store.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys, type OrganizationKeys } from '../../vault/organization-keys.ts'
import { toProblem } from './ask-provider.ts'
import { createAccessGrants, type AccessGrants } from './access-grants.ts'
import type { Connector, RefreshLoss } from '../../providers/connector.ts'
import { putCredentialRow } from './credential-rows.ts'
import { enqueueEndingGrants, keepGrant } from './keep-grants.ts'
import { openGrantLog, type GrantLog } from './grant-log.ts'
import type { Integration } from '../integration.ts'
import { upsertIntegrationRow } from '../rows.ts'
import { sealGrant } from './sealed-grant.ts'
import { recoverRenewed } from './store-renewed.ts'
import { openMemoryGrantLog } from '../testing/memory-grant-log.ts'

const orgId = 'org_1'
const integrationId = 'int_1'
const place = { orgId, integrationId }
const start = Date.parse('2026-11-22T00:00:00.000Z')
const minutes = (count: number) => count * 60_000
let nowMs = start
const now = () => new Date(nowMs)

let test: TestStore
let keys: OrganizationKeys
let grants: readonly [AccessGrants, AccessGrants]
let calls: string[]
let reauths: string[]
/** Holds what the provider declares of lost answers. */
let loss: RefreshLoss | undefined
/** Holds when jobs are to renew it. */
let dueAt: number[]
/** Answers a refresh token in the place of the provider. */
let answer: (refreshToken: string) => Promise<Grant>

const integration: Integration = {
  orgId,
  id: integrationId,
  kind: 'tracker',
  provider: 'jira',
  isShared: false,
  state: 'connected',
  stateReason: null,
  account: { id: 'site', name: 'Acme', url: null },
  scopes: [],
  settings: {},
  connectedAt: null,
  connectedBy: null,
  reconnectBefore: null,
  lastOkAt: null,
  lastError: null,
  renewalRetryAt: null,
  revocation: null,
  revision: 1,
}

function grantOf(number: number, lifeMs: number): Grant {
  return {
    accessToken: `access ${number}`,
    accessExpiresAt: new Date(nowMs + lifeMs),
    refreshToken: `refresh ${number}`,
    refreshExpiresAt: null,
    scopes: ['read:jira-work'],
  }
}

/** A node of its own, as far as the database can tell. */
function openNode(grantLog: GrantLog = openMemoryGrantLog(), hasApplication = true): AccessGrants {
  const connector: Pick<Connector, 'refresh' | 'refreshLoss'> = {
    ...(loss !== undefined && { refreshLoss: loss }),
    refresh: (refreshToken) => {
      calls.push(refreshToken)
      return answer(refreshToken)
    },
  }
  return createAccessGrants({
    store: test.store,
    keys,
    connectorOf: () => (hasApplication ? (connector as Connector) : undefined),
    grantLog,
    nodeId: 'node',
    requireReauth: async (_, { code }) => void reauths.push(code),
    enqueueRenewal: async (_tx, _of, at) => void dueAt.push((at.getTime() - start) / 1000),
    now,
  })
}

beforeAll(async () => {
  test = await openTestStore()
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  keys = createOrganizationKeys({ store: test.store, rootKeys: () => [rootKey], now })
  await test.asOwner(
    `insert into organizations (id, slug, name) values ('${orgId}', 'acme', 'Acme')`,
  )
  await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  await test.asOwner(`insert into nodes (id) values ('node'), ('other')`)
})
afterAll(() => test.close())

beforeEach(async () => {
  nowMs = start
  calls = []
  reauths = []
  dueAt = []
  loss = undefined
  answer = async () => grantOf(2, minutes(60))
  grants = [openNode(), openNode()]
  await connect(1, grantOf(1, minutes(60)))
})

/** As a person does. */
async function connect(generation: number, grant: Grant): Promise<void> {
  await test.store.transaction({ orgId }, async (tx) => {
    await upsertIntegrationRow(tx, integration, now())
    const sealed = sealGrant(await keys.getSealer(tx, orgId), { ...place, generation }, grant)
    const { accessExpiresAt, refreshExpiresAt } = grant
    const row = { generation, sealed, accessExpiresAt, refreshExpiresAt }
    await putCredentialRow(tx, place, row, now())
  })
}

const get = (node = 0) => (grants[node] ?? grants[0]).get(orgId, 'tracker')
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => String(Reflect.get(Object(error), 'code')),
  )

const decade = 10 * 365 * 86_400_000

describe('a grant', () => {
  it('is given as it is while it lasts', async () => {
    nowMs += minutes(40)
    expect((await get()).accessToken).toBe('access 1')
    expect(calls).toEqual([])
  })

  it('that has ended is not given where this server has no application to renew it with', async () => {
    const [node] = (grants = [openNode(openMemoryGrantLog(), false), grants[1]])
    nowMs += minutes(59)
    expect((await get()).accessToken).toBe('access 1')
    nowMs += minutes(1)
    const refused = await node.get(orgId, 'tracker').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'provider_error', cause: { code: 'no_application' } })
    const { cause } = refused as { readonly cause: ProviderError }
    expect(toProblem(cause, now()).message).toMatch(/^Jira renews .* Ask an operator .* page\./)
    expect(reauths).toEqual([])
  })

  it('is renewed before its end, and kept renewed', async () => {
    nowMs += minutes(50)
    expect((await get()).accessToken).toBe('access 2')
    expect((await get(1)).accessToken).toBe('access 2')
    expect(calls).toEqual(['refresh 1'])
  })

  it('is renewed once for fifty callers on two nodes, all of which get the new one', async () => {
    nowMs += minutes(61)
    const given = await Promise.all(Array.from({ length: 50 }, (_, index) => get(index % 2)))
    expect(calls).toEqual(['refresh 1'])
    expect(new Set(given.map(({ accessToken }) => accessToken))).toEqual(new Set(['access 2']))
  })

  it('that still lasts a while is given to those who come while somebody renews it', async () => {
    nowMs += minutes(50)
    const { promise, resolve: finish } = Promise.withResolvers<Grant>()
    answer = () => promise
    const first = get()
    await expect.poll(() => calls).toEqual(['refresh 1'])
    expect((await get(1)).accessToken).toBe('access 1')
    finish(grantOf(2, minutes(60)))
    expect((await first).accessToken).toBe('access 2')
  })

  it('keeps its refresh token and scopes where the provider leaves them out', async () => {
    nowMs += minutes(61)
    answer = async () => ({ ...grantOf(2, minutes(60)), refreshToken: null, scopes: [] })
    await get()
    nowMs += minutes(61)
    await get()
    expect(calls).toEqual(['refresh 1', 'refresh 1'])
    expect((await get()).scopes).toEqual(['read:jira-work'])
  })

  it('that the provider takes back is asked for once, and has to be granted again', async () => {
    nowMs += minutes(61)
    answer = async () => {
      throw new ProviderError({ provider: 'jira', failure: 'rejected', code: 'invalid_grant' })
    }
    expect(await codeOf(get())).toBe('reauth_required')
    expect(reauths).toEqual(['invalid_grant'])
    expect(calls).toHaveLength(1)
  })

  it('is tried again after an answer that never came: the lease was given back', async () => {
    nowMs += minutes(61)
    answer = async () => {
      throw new ProviderError({ provider: 'jira', failure: 'ambiguous', code: 'timeout' })
    }
    expect(await codeOf(get())).toBe('provider_error')
    answer = async () => grantOf(2, minutes(60))
    nowMs += 1000
    expect((await get(1)).accessToken).toBe('access 2')
    expect([reauths, dueAt]).toEqual([[], []])
  })

  it('is nobody’s before it is connected, or after', async () => {
    const work = (state: Integration['state']) =>
      test.store.transaction({ orgId }, (tx) =>
        upsertIntegrationRow(tx, { ...integration, state }, now()),
      )
    for (const state of ['pending', 'suspended', 'disconnecting', 'disconnected'] as const) {
      await work(state)
      expect([state, await codeOf(get())]).toEqual([state, 'integration_not_connected'])
    }
    await work('reauth_required')
    expect(await codeOf(get())).toBe('reauth_required')
    expect(calls).toEqual([])
  })

  it('of an older generation cannot be put back in the place of a newer one', async () => {
    const [before] = await test.asOwner<{ sealed: Buffer }>(
      'select sealed from integration_credentials',
    )
    nowMs += minutes(61)
    await get()
    const old = before?.sealed.toString('hex')
    await test.asOwner(`update integration_credentials set sealed = '\\x${old}'`)
    await expect(get()).rejects.toThrow(/changed|seal|open/i)
  })
})

describe('a grant whose renewal is not answered', () => {
  const lost = () =>
    Promise.reject(new ProviderError({ provider: 'jira', failure: 'ambiguous', code: 'timeout' }))
  const refused = () =>
    Promise.reject(
      new ProviderError({ provider: 'jira', failure: 'rejected', code: 'invalid_grant' }),
    )
  const fifty = () => Promise.all(Array.from({ length: 50 }, (_, index) => codeOf(get(index % 2))))
  const reopen = (declared: RefreshLoss) => {
    loss = declared
    grants = [openNode(), openNode()]
  }

  it.each([
    ['lost by Jira', jiraRefreshLoss, lost],
    ['lost by Linear', linearRefreshLoss, lost],
    ['refused for now', { replayMs: 0, invalidGrantIsFinal: false }, refused],
  ])('is asked for once in a round of fifty callers on two nodes: %s', async (_, of, reply) => {
    reopen(of)
    nowMs += minutes(61)
    answer = reply
    expect(new Set(await fifty())).toEqual(new Set(['provider_error']))
    expect(calls).toEqual(['refresh 1'])
  })

  it('serves while it is good, and is not asked for again before the pause is over', async () => {
    nowMs += minutes(50)
    answer = lost
    expect((await get()).accessToken).toBe('access 1')
    expect((await get(1)).accessToken).toBe('access 1')
    expect(calls).toHaveLength(1)
    nowMs += 1000
    answer = async () => grantOf(2, minutes(60))
    expect((await get(1)).accessToken).toBe('access 2')
  })

  it('is asked for again where the clock was ten years ahead when it was lost', async () => {
    nowMs += decade
    answer = lost
    await codeOf(get())
    nowMs -= decade - minutes(61)
    answer = async () => grantOf(2, minutes(120))
    expect((await get()).accessToken).toBe('access 2')
  })

  it('is repeated by jobs as long as the provider takes the same token again, and then by callers', async () => {
    reopen({ replayMs: minutes(2), invalidGrantIsFinal: true })
    nowMs += minutes(61)
    answer = lost
    for (let round = 0; round < 8; round += 1) {
      await codeOf(get(round % 2))
      nowMs += minutes(1)
    }
    expect(calls).toHaveLength(8)
    expect(dueAt).toEqual([1, 62].map((seconds) => 61 * 60 + seconds))
    expect(reauths).toEqual([])
  })

  it('is tried 1, 5 and 15 minutes after a refusal that may not be final, and then a person is asked', async () => {
    reopen({ replayMs: 0, invalidGrantIsFinal: false })
    nowMs += minutes(61)
    answer = refused
    const calledAt: number[] = []
    for (let minute = 0; minute <= 20; minute += 1) {
      const before = calls.length
      await codeOf(get(minute % 2))
      if (calls.length > before) calledAt.push(minute)
      nowMs += minutes(1)
    }
    expect(calledAt).toEqual([0, 1, 5, 15, 16, 17, 18, 19, 20])
    expect(dueAt).toEqual([62, 66, 76].map((minute) => minute * 60))
    expect(reauths[0]).toBe('invalid_grant')
  })

  it.each([
    ['a renewal', () => get()],
    ['a new connection', () => connect(2, grantOf(2, minutes(60)))],
  ])('counts what fails anew after %s', async (_, succeed) => {
    reopen({ replayMs: minutes(2), invalidGrantIsFinal: false })
    nowMs += minutes(61)
    answer = refused
    await codeOf(get())
    nowMs += minutes(1)
    answer = async () => grantOf(2, minutes(60))
    await succeed()
    nowMs += minutes(61)
    answer = lost
    await codeOf(get())
    nowMs += 1000
    answer = refused
    await codeOf(get())
    // A minute after the rejection; a second after the answer that was lost, within its window; a minute after the rejection again.
    const second = 123 * 60
    expect(dueAt).toEqual([62 * 60, second + 1, second + 61])
  })

  it('is in force when the refusal was not final', async () => {
    reopen({ replayMs: 0, invalidGrantIsFinal: false })
    nowMs += minutes(61)
    answer = refused
    expect(await codeOf(get())).toBe('provider_error')
    answer = async () => grantOf(2, minutes(60))
    nowMs += minutes(1)
    const generation = 1
    const of = { orgId, kind: 'tracker', generation } as const
    await keepGrant({ store: test.store, grants: grants[0], now }, of)
    expect((await get(1)).accessToken).toBe('access 2')
    expect([calls, reauths]).toEqual([['refresh 1', 'refresh 1'], []])
  })

  it('is repeated by a job after a refusal as well, though the provider takes no lost token again', async () => {
    reopen({ replayMs: 0, invalidGrantIsFinal: false })
    nowMs += minutes(61)
    answer = refused
    await codeOf(get())
    nowMs += minutes(1)
    answer = lost
    await codeOf(get())
    // Twice as long as after a first failure.
    expect(dueAt).toEqual([62 * 60, 62 * 60 + 2])
  })

  it('has ended where the refusal is about something else than the token', async () => {
    reopen({ replayMs: 0, invalidGrantIsFinal: false })
    nowMs += minutes(61)
    const rejection = { provider: 'jira', failure: 'rejected', code: 'invalid_client' } as const
    answer = () => Promise.reject(new ProviderError(rejection))
    expect(await codeOf(get())).toBe('reauth_required')
    expect([dueAt, reauths]).toEqual([[], ['invalid_client']])
  })

  it('control: a refusal is final where the provider declares nothing', async () => {
    nowMs += minutes(61)
    answer = refused
    expect(await codeOf(get())).toBe('reauth_required')
    expect([dueAt, reauths]).toEqual([[], ['invalid_grant']])
  })
})

describe('a grant that nobody uses', () => {
  const days = (count: number) => count * 24 * 3600_000
  const lasting = (number: number): Grant => ({
    ...grantOf(number, minutes(60)),
    refreshExpiresAt: new Date(nowMs + days(90)),
  })

  /** Does the daily work: finds the grants that will end, and renews them. */
  async function keep(): Promise<void> {
    const due: { data: object }[] = []
    const jobs = {
      enqueue: async (_tx: Tx, _queue: string, data: object) => void due.push({ data }),
    }
    await enqueueEndingGrants({ store: test.store, jobs, now })
    for (const { data } of due) {
      expect(data).toEqual({ orgId, kind: 'tracker' })
      await keepGrant({ store: test.store, grants: grants[0], now }, { orgId, kind: 'tracker' })
    }
  }

  it('is renewed long before the provider forgets it, and not each day', async () => {
    let number = 1
    answer = async () => lasting((number += 1))
    await connect(2, lasting(1))
    for (let day = 0; day < 200; day += 1) {
      nowMs += days(1)
      await keep()
    }
    // Each was used before its 90 days were over.
    expect(calls).toEqual(Array.from({ length: 6 }, (_, index) => `refresh ${index + 1}`))
    expect(reauths).toEqual([])
  })

  it('is found to be dead before somebody needs it', async () => {
    const rejected = { provider: 'jira', failure: 'rejected', code: 'invalid_grant' } as const
    answer = () => Promise.reject(new ProviderError(rejected))
    await connect(2, lasting(1))
    nowMs += days(31)
    await keep()
    expect(reauths).toEqual(['invalid_grant'])
  })

  it('is tried again when it cannot be renewed just now', async () => {
    answer = () =>
      Promise.reject(
        new ProviderError({ provider: 'jira', failure: 'ambiguous', code: 'no_answer' }),
      )
    await connect(2, lasting(1))
    nowMs += days(31)
    await expect(keep()).rejects.toMatchObject({ code: 'provider_error' })
    expect(reauths).toEqual([])
  })
})

describe('a grant that was renewed while the database went away', () => {
  let directory: string
  const openLog = () => openGrantLog({ directory: join(directory, 'spool'), log: silentLog })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'signalbox-spool-'))
    nowMs += minutes(61)
    // It answers, and takes the old token no more.
    answer = async (refreshToken) => {
      if (refreshToken !== 'refresh 1') {
        throw new ProviderError({ provider: 'jira', failure: 'rejected', code: 'invalid_grant' })
      }
      if (calls.length > 1) {
        throw new ProviderError({ provider: 'jira', failure: 'rejected', code: 'reused' })
      }
      await cutDatabase(true)
      return grantOf(2, minutes(60))
    }
  })
  afterEach(async () => {
    await cutDatabase(false)
    await rm(directory, { recursive: true, force: true })
  })
  const waitForLease = (rest = '-1 second') =>
    test.asOwner(`update integration_credentials set lease_until = now() + $1::interval`, [rest])

  it.each([
    ['', '-1 second'],
    [', also where the clock has stepped back since', '1 hour'],
  ])(
    'is in force when the database is back, and nobody has to connect again%s',
    async (_, rest) => {
      const node = openNode(await openLog())
      expect(await codeOf(node.get(orgId, 'tracker'))).not.toBe('answered')
      await cutDatabase(false)
      await waitForLease(rest)
      const given = await Promise.all([1, 2, 3].map(() => node.get(orgId, 'tracker')))
      expect(given.map(({ accessToken }) => accessToken)).toEqual(Array(3).fill('access 2'))
      expect((await get()).accessToken).toBe('access 2')
      expect([calls, reauths]).toEqual([['refresh 1'], []])
      expect(await readdir(join(directory, 'spool'))).toEqual([])
    },
  )

  it('is in force after the next start of the process, and readable by nobody else until then', async () => {
    await codeOf(openNode(await openLog()).get(orgId, 'tracker'))
    const [name = ''] = await readdir(join(directory, 'spool'))
    const path = join(directory, 'spool', name)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).not.toMatch(/access 2|refresh 2/)
    await cutDatabase(false)
    const grantLog = await openLog()
    expect(await recoverRenewed({ store: test.store, grantLog, now })).toBe(1)
    expect((await get()).accessToken).toBe('access 2')
    expect([await readdir(join(directory, 'spool')), calls, reauths]).toEqual([
      [],
      ['refresh 1'],
      [],
    ])
  })

  it('gives way to one that was granted meanwhile', async () => {
    const grantLog = await openLog()
    await codeOf(openNode(grantLog).get(orgId, 'tracker'))
    await cutDatabase(false)
    await connect(3, grantOf(9, minutes(60)))
    expect((await openNode(grantLog).get(orgId, 'tracker')).accessToken).toBe('access 9')
    expect(grantLog.list()).toEqual([])
  })

  it('is left alone and reported where the file was cut off', async () => {
    await codeOf(openNode(await openLog()).get(orgId, 'tracker'))
    const [name = ''] = await readdir(join(directory, 'spool'))
    await truncate(join(directory, 'spool', name), 40)
    const errors: string[] = []
    const log = { error: (message: string) => void errors.push(message) }
    const grantLog = await openGrantLog({ directory: join(directory, 'spool'), log })
    expect([grantLog.list(), errors]).toEqual([
      [],
      ['Could not read a renewed grant from the disk'],
    ])
  })

  it('control: is lost without the file on the disk, and somebody has to connect again', async () => {
    const forgetful: GrantLog = { ...openMemoryGrantLog(), keep: async () => {} }
    const node = openNode(forgetful)
    await codeOf(node.get(orgId, 'tracker'))
    await cutDatabase(false)
    await waitForLease()
    expect(await codeOf(node.get(orgId, 'tracker'))).toBe('reauth_required')
    expect(reauths).toEqual(['reused'])
  })
})

/** Ends every connection and takes no new ones. */
async function cutDatabase(isCut: boolean): Promise<void> {
  const name = new URL(test.databaseUrl).pathname.slice(1)
  await withOwner(parseDatabaseUrl(inject('postgresUrl')), async (client) => {
    await client.query(`alter database ${name} allow_connections ${!isCut}`)
    if (!isCut) return
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`,
      [name],
    )
  })
}
