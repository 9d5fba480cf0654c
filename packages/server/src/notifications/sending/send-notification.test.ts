import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { ChatReference } from '../../providers/chat/chat.ts'
import { getDeployment } from '../../read-models/deployments/get-deployment.ts'
import { presentDetail } from '../../read-models/deployments/present-deployment.ts'
import type { Store } from '../../store/store.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { refreshNotifications } from './refresh-notification.ts'
import { releaseNotifications, sweepNotifications } from './release-notifications.ts'
import { sendNotification } from './send-notification.ts'
import { rejection, unclear } from '../testing/fake-chat.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { openNotifications, type Notifications } from '../testing/open-notifications.ts'
import { faultSeed, seededRandom } from '../testing/seeded-random.ts'

let test: TestStore
let app: Notifications

beforeAll(async () => {
  test = await openTestStore()
})
beforeEach(async () => {
  app = await openNotifications(test)
})
afterAll(() => test.close())

const refresh = (id: string) => refreshNotifications(app.deps, refreshOf(app.orgId, id))

/** Lets time pass, and sends all that is due then, again and again until nothing is. */
async function pass(seconds = 10, rounds = 5) {
  for (let round = 0; round < rounds; round += 1) {
    app.clock = new Date(app.clock.getTime() + seconds * 1000)
    app.queued.splice(0)
    await sweepNotifications(app.deps)
    const due = app.queued.splice(0)
    if (due.length === 0) return
    for (const { orgId, id } of due) await sendNotification(app.deps, { orgId, id })
  }
}

async function tell(id: string) {
  await refresh(id)
  await pass()
}

const titleOf = (index = 0) => app.chat.messages[index]?.message.text.split(' · ')[0]

describe('a deployment', () => {
  it('is one message, that is updated when it changes and left alone when it does not', async () => {
    const id = await app.addDeployment('in_progress')
    await tell(id)
    expect(titleOf()).toBe('⏳ Deploying to production')
    await app.setState(id, 'success')
    await tell(id)
    await tell(id)
    expect(app.chat.messages).toMatchObject([{ channelId: 'C1', updates: 1 }])
    expect(titleOf()).toBe('✅ Deployed to production')
  })

  it('that ends within seconds is told of once, finished', async () => {
    const id = await app.addDeployment('in_progress')
    await refresh(id)
    await pass(2, 1)
    expect(app.chat.messages).toEqual([])
    await app.setState(id, 'success')
    await tell(id)
    expect(app.chat.messages).toMatchObject([{ updates: 0 }])
  })

  it.each([
    [0, 'none when a pipeline has reported its end alone'],
    [41, 'with its beginning and its end'],
  ])('that took %i s by its times has a duration: %s', async (seconds) => {
    const created_at = new Date('2026-11-22T10:00:00Z')
    const finished_at = new Date(created_at.getTime() + seconds * 1000)
    await tell(await app.addDeployment('success', { created_at, finished_at }))
    const shown = JSON.stringify(app.chat.messages[0]?.message.blocks)
    expect(/ · (\d+ m?s)"/.exec(shown)?.[1]).toBe(seconds === 0 ? undefined : '41 s')
  })

  it('that fails in production is told of at once', async () => {
    const id = await app.addDeployment('in_progress')
    await refresh(id)
    await app.setState(id, 'failure')
    await refresh(id)
    expect(app.queued.at(-1)?.startAfter).toBeUndefined()
    await pass(0, 1)
    expect(titleOf()).toBe('❌ Deployment to production failed')
  })

  it('changes its message at most every three seconds', async () => {
    const id = await app.addDeployment('in_progress')
    await tell(id)
    await app.setState(id, 'failure')
    await refresh(id)
    await pass(0, 1)
    await app.setState(id, 'success')
    await refresh(id)
    await pass(1, 1)
    expect(app.chat.messages).toMatchObject([{ updates: 1 }])
    await pass(3)
    expect(app.chat.messages).toMatchObject([{ updates: 2 }])
  })

  it('has its details and its failure in the thread, the failure for the whole channel', async () => {
    await app.addRoute({ broadcast_failures: true })
    const id = await app.addDeployment('failure')
    await app.test.asOwner(
      `insert into deployment_commits (org_id, deployment_id, position, sha, message)
       select $1, $2, n, 'sha' || n, 'Commit ' || n from generate_series(1, 3) n`,
      [app.orgId, id],
    )
    await tell(id)
    const [first, ...answers] = app.chat.messages
    expect(first).toMatchObject({ channelId: 'C2', thread: undefined })
    expect(answers).toHaveLength(2)
    expect(new Set(answers.map(({ thread }) => thread?.messageId))).toEqual(
      new Set([first?.messageId]),
    )
    expect(answers.filter(({ broadcast }) => broadcast)).toHaveLength(1)
  })

  it('whose tests pass when they are run again names no failed test in its thread any more', async () => {
    const id = await app.addDeployment('success', { commit_message: 'Show the date' })
    const ofRun = (text: string, ...values: readonly unknown[]) =>
      app.test.asOwner(text, [app.orgId, ...values])
    await ofRun(
      `insert into test_runs (org_id, id, deployment_id, environment_id, repository_id, name, state, attempt)
       values ($1, 'run_1', $2, $3, 'rep_1', 'e2e', 'failed', 1)`,
      id,
      app.environmentId,
    )
    await ofRun(
      `insert into test_results (org_id, run_id, attempt, case_hash, name, status)
       values ($1, 'run_1', 1, '\\x01', 'cart adds', 'failed')`,
    )
    await tell(id)
    const details = () => JSON.stringify(app.chat.messages[1]?.message)
    expect(details()).toContain('Failed tests')
    await ofRun(`update test_runs set state = 'passed', attempt = 2 where org_id = $1`)
    await tell(id)
    expect(app.chat.messages).toHaveLength(2)
    expect(details()).not.toContain('Failed tests')
    expect(details()).toContain('Show the date')
  })

  it('whose workflow somebody runs again by hand says what the newer run says, and of others what they said', async () => {
    const id = await app.addDeployment('success')
    const addRun = (run: string, name: string, state: string, rule: string | null) =>
      app.test.asOwner(
        `insert into test_runs (org_id, id, deployment_id, environment_id, repository_id, name, state, rule_key)
         values ($1, $2, $3, $4, 'rep_1', $5, $6, $7)`,
        [app.orgId, run, id, app.environmentId, name, state, rule],
      )
    const said = () => JSON.stringify(app.chat.messages[0]?.message)
    await addRun('run_a1', 'e2e', 'failed', 'workflow:e2e.yml')
    await tell(id)
    expect(said()).toContain('tests failed')
    await addRun('run_a2', 'e2e', 'passed', 'asked:run_a2')
    await tell(id)
    expect(said()).not.toContain('failed')
    await addRun('run_a3', 'e2e', 'failed', 'workflow:e2e.yml again')
    await addRun('run_a4', 'e2e', 'passed', 'again:workflow:e2e.yml@2026-11-21T06:00:00.000Z')
    await tell(id)
    expect(said()).not.toContain('failed')
    await addRun('run_b1', 'lint', 'failed', 'workflow:lint.yml')
    await addRun('run_b2', 'other', 'passed', 'asked:run_b2')
    await tell(id)
    expect(said()).toContain('tests failed')
  })

  it('goes to the routes that take it, and to the default channel when none does', async () => {
    const match = {
      environmentIds: null,
      repositories: null,
      branches: ['release/*'],
      states: 'always',
    }
    await app.addRoute({ match: JSON.stringify(match) })
    await tell(await app.addDeployment('success'))
    await tell(await app.addDeployment('success', { ref: 'release/1' }))
    expect(app.chat.messages.map(({ channelId }) => channelId)).toEqual(['C1', 'C2'])
  })

  it('of two repositories in one environment goes to two channels', async () => {
    await app.test.asOwner(
      `insert into repositories (org_id, id, full_name) values ($1, 'rep_2', 'acme/web')`,
      [app.orgId],
    )
    const match = { environmentIds: [app.environmentId], repositories: ['acme/web'] }
    await app.addRoute({ match: JSON.stringify({ ...match, branches: null, states: 'always' }) })
    await tell(await app.addDeployment('success'))
    await tell(await app.addDeployment('success', { repository_id: 'rep_2' }))
    expect(app.chat.messages.map(({ channelId }) => channelId)).toEqual(['C1', 'C2'])
  })
})

describe('the timeline of a deployment', () => {
  const messageStep = async (id: string) => {
    const caller = { orgId: app.orgId, scope: { orgId: app.orgId }, environmentIds: null }
    const { timeline } = presentDetail(await getDeployment(app.deps, caller, id))
    return timeline.find(({ title }) => title.startsWith('Message'))
  }

  it('says when a message was sent, and not when it was edited last', async () => {
    const id = await app.addDeployment('in_progress')
    await refresh(id)
    const wanted = await messageStep(id)
    expect(wanted).toMatchObject({ state: 'waiting', at: app.clock.toISOString() })
    await pass(10, 1)
    const sentAt = app.clock.toISOString()
    expect(await messageStep(id)).toMatchObject({ state: 'done', at: sentAt })
    for (const state of ['failure', 'success']) {
      await app.setState(id, state)
      await refresh(id)
      expect(await messageStep(id)).toMatchObject({ at: sentAt })
      await pass(60, 1)
      expect(await messageStep(id)).toMatchObject({ state: 'done', at: sentAt })
    }
    expect(app.chat.messages).toMatchObject([{ updates: 2 }])
  })

  it('says since when a message waits, however often it would say something else', async () => {
    const id = await app.addDeployment('in_progress')
    app.chat.fault = () => {
      throw rejection('token_revoked', 'unauthorized')
    }
    await tell(id)
    const held = await messageStep(id)
    expect(held).toMatchObject({ kind: 'skipped', state: 'waiting' })
    app.clock = new Date(app.clock.getTime() + 600_000)
    await app.setState(id, 'success')
    await refresh(id)
    expect(await messageStep(id)).toMatchObject({ at: held?.at })
    app.chat.fault = () => undefined
    await app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      releaseNotifications(app.deps, tx, app.orgId, { routeId: null }),
    )
    await pass(10, 1)
    expect(await messageStep(id)).toMatchObject({ state: 'done', at: app.clock.toISOString() })
  })
})

describe('what waits for a person', () => {
  it('is held without a channel, says so, and is sent once one is chosen', async () => {
    app.connection = {
      integrationId: 'int_1',
      provider: 'slack',
      state: 'connected',
      defaultChannelId: null,
    }
    const id = await app.addDeployment('success')
    await tell(id)
    expect(app.chat.messages).toEqual([])
    expect(await app.rowOf(id)).toMatchObject({ state: 'held', reason: 'no_channel' })
    await app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      releaseNotifications(app.deps, tx, app.orgId, { routeId: '', channelId: 'C7' }),
    )
    await pass()
    expect(app.chat.messages).toMatchObject([{ channelId: 'C7' }])
  })

  it('is held when the credentials are refused', async () => {
    const id = await app.addDeployment('success')
    app.chat.fault = () => {
      throw rejection('token_revoked', 'unauthorized')
    }
    await tell(id)
    expect(await app.rowOf(id)).toMatchObject({ state: 'held', reason: 'token_revoked' })
    app.chat.fault = () => undefined
    await app.test.store.transaction({ orgId: app.orgId }, (tx) =>
      releaseNotifications(app.deps, tx, app.orgId, { routeId: null }),
    )
    await pass()
    expect(app.chat.messages).toHaveLength(1)
  })

  it('breaks the route whose channel is archived, and nothing else', async () => {
    const routeId = await app.addRoute()
    app.chat.fault = () => {
      throw rejection('is_archived')
    }
    const id = await app.addDeployment('success')
    await tell(id)
    expect(await app.rowOf(id, 'deployment', routeId)).toMatchObject({ state: 'broken' })
    const [route] = await app.test.asOwner('select * from notification_routes')
    expect(route).toMatchObject({ health_state: 'broken', health_reason: 'is_archived' })
  })
})

describe('what the provider refuses', () => {
  const failOnce = (error: Error) => {
    let isFirst = true
    app.chat.fault = () => {
      if (!isFirst) return
      isFirst = false
      throw error
    }
  }

  it('for being too fast is sent when the provider says, and not before', async () => {
    const id = await app.addDeployment('success')
    failOnce(rejection('ratelimited', 'rateLimited', new Date(app.clock.getTime() + 3_600_000)))
    await tell(id)
    await pass(3_000, 1)
    expect(app.chat.messages).toEqual([])
    await pass(1_000, 1)
    expect(app.chat.messages).toHaveLength(1)
  })

  it('because the app is not in the channel is sent after it entered it', async () => {
    failOnce(rejection('not_in_channel'))
    await tell(await app.addDeployment('success'))
    expect(app.chat.joined).toEqual(['C1'])
    expect(app.chat.messages).toHaveLength(1)
  })

  it('because the app is not in the channel, although it entered it, waits for a person', async () => {
    app.chat.fault = () => {
      throw rejection('not_in_channel')
    }
    const id = await app.addDeployment('success')
    await tell(id)
    expect(app.chat.joined).toEqual(['C1'])
    expect(await app.rowOf(id)).toMatchObject({ state: 'broken', reason: 'not_in_channel' })
  })

  it('for its size is sent with less', async () => {
    failOnce(rejection('msg_blocks_too_long'))
    await tell(await app.addDeployment('success'))
    expect(app.chat.messages[0]?.message.blocks).toHaveLength(1)
  })

  it('to change is told in the thread', async () => {
    const id = await app.addDeployment('in_progress')
    await tell(id)
    failOnce(rejection('edit_window_closed'))
    await app.setState(id, 'success')
    await tell(id)
    expect(app.chat.messages).toMatchObject([{ updates: 0 }, { thread: { messageId: '1' } }])
    expect(app.chat.messages[1]?.message.text).toContain('Now: ✅ Deployed to production')
  })

  it('because a person deleted it is left so, but for one new failure', async () => {
    const id = await app.addDeployment('in_progress')
    await tell(id)
    app.chat.messages.splice(0)
    await app.setState(id, 'success')
    await tell(id)
    expect(app.chat.messages).toEqual([])
    await app.setState(id, 'failure')
    await tell(id)
    expect(titleOf()).toBe('❌ Deployment to production failed')
    app.chat.messages.splice(0)
    await app.setState(id, 'error')
    await tell(id)
    await app.setState(id, 'failure')
    await tell(id)
    expect(app.chat.messages).toEqual([])
  })
})

describe('a post whose answer is lost, in a chat that remembers its key for a minute', () => {
  const looks: string[] = []
  let lookedSince: Date[]

  /** Loses the answer to the first call, once it has taken effect or before. */
  async function lose(when: 'before' | 'after', canLook: boolean, repeatMs = 60_000) {
    looks.splice(0)
    lookedSince = []
    Object.assign(app.chat.capabilities, { repeatMs })
    if (canLook) {
      app.chat.find = ({ key, channelId, since }) => {
        looks.push(key)
        lookedSince.push(since)
        const found = app.chat.messages.find((message) => message.key === key)
        return Promise.resolve(
          found && { channelId, messageId: found.messageId, tag: `tag of ${found.messageId}` },
        )
      }
    }
    let isLost = false
    app.chat.fault = (at) => {
      if (isLost || at !== when) return
      isLost = true
      throw unclear()
    }
    const id = await app.addDeployment('success')
    await refresh(id)
    await pass(10, 1)
    return id
  }

  it('is sent again within the minute, without a look', async () => {
    await lose('after', true)
    await pass(10)
    expect(app.chat.messages).toMatchObject([{ updates: 1 }])
    expect(looks).toEqual([])
  })

  it('is looked for after it, and updated where it is found', async () => {
    const id = await lose('after', true)
    const triedAt = app.clock
    await pass(70, 3)
    expect(looks).toHaveLength(1)
    expect(lookedSince).toEqual([triedAt])
    expect(app.chat.messages).toMatchObject([{ updates: 1, key: looks[0] }])
    expect(await app.rowOf(id)).toMatchObject({ state: 'live', first_tried_at: null })
  })

  it('is looked for only once it must have arrived, where the chat remembers no key', async () => {
    await lose('after', true, 0)
    const arrivesAt = new Date(app.clock.getTime() + 20_000)
    const { find } = app.chat
    // A search before that finds nothing, and the message would be posted again.
    app.chat.find = async (lookup) => (app.clock < arrivesAt ? undefined : find?.(lookup))
    for (const seconds of [10, 10, 9]) await pass(seconds, 1)
    expect([looks, app.chat.messages.length]).toEqual([[], 1])
    await pass(5)
    expect(looks).toHaveLength(1)
    expect(app.chat.messages).toMatchObject([{ updates: 1, key: looks[0] }])
  })

  it('is posted under its key where it is not found', async () => {
    await lose('before', true)
    await pass(70, 4)
    expect(looks).toHaveLength(1)
    expect(app.chat.messages).toMatchObject([{ key: looks[0] }])
  })

  it('waits for a person where the chat cannot be asked, and is not there twice', async () => {
    const id = await lose('after', false)
    await pass(70, 3)
    expect(app.chat.messages).toHaveLength(1)
    expect(await app.rowOf(id)).toMatchObject({ state: 'broken', reason: 'outcome_unknown' })
  })
})

describe('a call that outlasts its lease', () => {
  it('is made again after two minutes and not before, and its late answer counts for nothing', async () => {
    const id = await app.addDeployment('success')
    await refresh(id)
    const { promise: late, reject: answer } = Promise.withResolvers<ChatReference>()
    const post = app.chat.post.bind(app.chat)
    app.chat.post = () => {
      app.chat.post = post
      return late
    }
    const send = async (seconds: number) => {
      app.clock = new Date(app.clock.getTime() + seconds * 1000)
      await sendNotification(app.deps, {
        orgId: app.orgId,
        id: String((await app.rowOf(id))?.['id']),
      })
    }
    const first = send(10)
    await expect.poll(async () => (await app.rowOf(id))?.['state']).toBe('sending')
    await send(119)
    expect(app.chat.messages).toEqual([])
    await send(2)
    expect(app.chat.messages).toHaveLength(1)
    answer(rejection('is_archived'))
    await first
    expect(await app.rowOf(id)).toMatchObject({ state: 'live', reason: null })
  })
})

describe('with faults', () => {
  class Crash extends Error {}

  /** A store at which a process ends before or after a transaction, as often as the chat loses calls. */
  function crashing(happens: () => boolean): NotificationDeps {
    const crash = () => {
      if (happens()) throw new Crash()
    }
    const transaction: Store['transaction'] = async (scope, work) => {
      crash()
      const result = await app.test.store.transaction(scope, work)
      crash()
      return result
    }
    return { ...app.deps, store: { ...app.deps.store, transaction } }
  }

  /** Returns whether the work came to its end without a crash. */
  async function survive(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      return false
    }
  }

  /** Those that have to be done again. */
  async function refreshSome(deps: NotificationDeps, ids: readonly string[]) {
    const failed: string[] = []
    for (const id of ids) {
      const isDone = await survive(() => refreshNotifications(deps, refreshOf(app.orgId, id)))
      if (!isDone) failed.push(id)
    }
    return failed
  }

  /** Tells of deployments until nothing is left to tell. */
  async function tellAll(deployments: number) {
    const random = seededRandom(faultSeed)
    const happens = () => random() < 0.05
    const deps = crashing(happens)
    app.chat.fault = (when) => {
      if (happens()) throw new Crash()
      if (happens())
        throw when === 'before' && random() < 0.3
          ? rejection('ratelimited', 'rateLimited')
          : unclear()
    }
    const states = ['queued', 'in_progress', 'success']
    const ids: string[] = []
    // One after the other: each takes a connection of its own.
    for (let count = 0; count < deployments; count += 1)
      ids.push(await app.addDeployment('waiting'))
    for (let round = 0; round < 60; round += 1) {
      const state = states[Math.floor(round / 3)]
      if (state !== undefined && round % 3 === 0) {
        await app.test.asOwner('update deployments set state = $1', [state])
      }
      app.clock = new Date(app.clock.getTime() + 20 * 60_000)
      // A refresh that crashed is a job that comes again.
      let left = round % 3 === 0 && round < 9 ? ids : []
      while (left.length > 0) left = await refreshSome(deps, left)
      app.queued.splice(0)
      await sweepNotifications(app.deps)
      const due = app.queued.splice(0)
      if (due.length === 0 && round > 15) break
      for (const happening of due) {
        // The pace of a channel is not what this is about.
        app.clock = new Date(app.clock.getTime() + 2_000)
        await survive(() => sendNotification(deps, happening))
      }
    }
    return ids
  }

  const many = 10 * inject('scale')

  it(`at each step, ${many} deployments are ${many} messages that each say how it ended`, async () => {
    const ids = await tellAll(many)
    expect(app.chat.messages).toHaveLength(ids.length)
    expect(new Set(app.chat.messages.map(({ message }) => message.text.split(' · ')[0]))).toEqual(
      new Set(['✅ Deployed to production']),
    )
    const states = await app.test.asOwner(
      'select state, count(*)::integer from notifications group by state',
    )
    expect(states).toEqual([{ state: 'live', count: ids.length }])
  }, 120_000)

  it('control: a workspace that does not know keys, but says so of itself, gets some twice', async () => {
    const post = app.chat.post.bind(app.chat)
    let count = 0
    app.chat.post = (message, to) => post(message, { ...to, key: `${to.key}/${(count += 1)}` })
    const ids = await tellAll(20)
    expect(app.chat.messages.length).toBeGreaterThan(ids.length)
  }, 120_000)

  it('two workers at once send a message once', async () => {
    const id = await app.addDeployment('success')
    await refresh(id)
    app.clock = new Date(app.clock.getTime() + 60_000)
    await sweepNotifications(app.deps)
    const happening = app.queued.at(-1)
    if (happening === undefined) throw new Error('Nothing was enqueued.')
    let calls = 0
    app.chat.fault = (when) => {
      if (when === 'before') calls += 1
    }
    await Promise.all(Array.from({ length: 8 }, () => sendNotification(app.deps, happening)))
    expect(calls).toBe(1)
  })
})
