import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NotificationDeps } from '../notification-deps.ts'
import { refreshNotifications } from './refresh-notification.ts'
import { sendNotification } from './send-notification.ts'
import { listBehindRows } from '../rows.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { openSlack, type SlackWorkspace } from '../testing/open-slack.ts'

let world: SlackWorkspace
/** Records each call, with the milliseconds since the start. */
let sent: { readonly type: 'post' | 'update'; readonly channelId: string; readonly atMs: number }[]
let deps: NotificationDeps

beforeEach(async () => {
  // Time goes on when the test says so, for Slack as well: no call is late by chance.
  vi.useFakeTimers({ toFake: ['Date'] })
  world = await openSlack()
  await world.connect()
  await world.choose('deployments')
  world.sandbox.slack.rateLimit = true
  sent = []
  deps = { ...world.deps, chat: { ...world.deps.chat, open: openObserved } }
})
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
})

const now = () => world.sandbox.clock.now().getTime()

const openObserved: NotificationDeps['chat']['open'] = async (orgId) => {
  const chat = await world.deps.chat.open(orgId)
  return {
    ...chat,
    post(message, to) {
      sent.push({ type: 'post', channelId: to.channelId, atMs: now() })
      return chat.post(message, to)
    },
    update(reference, message) {
      sent.push({ type: 'update', channelId: reference.channelId, atMs: now() })
      return chat.update(reference, message)
    },
  }
}

/** Does what is due on four workers, and lets time pass to what is due next, for ten minutes at most. */
async function work(beforeEachSend: () => Promise<void> = () => Promise.resolve()) {
  const { queued } = world.app
  const endsAtMs = now() + 600_000
  while (queued.length > 0 && now() < endsAtMs) {
    const dueAt = (job: (typeof queued)[number]) => job.startAfter?.getTime() ?? 0
    const due = queued.filter((job) => dueAt(job) <= now()).slice(0, 4)
    if (due.length === 0) world.sandbox.clock.advance(Math.min(...queued.map(dueAt)) - now())
    for (const job of due) queued.splice(queued.indexOf(job), 1)
    await Promise.all(
      due.map(async ({ orgId, id }) => {
        await beforeEachSend()
        await sendNotification(deps, { orgId, id })
      }),
    )
  }
}

async function addDeployments(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let added = 0; added < count; added += 1) {
    ids.push(await world.app.addDeployment('in_progress'))
  }
  return ids
}

async function refresh(ids: readonly string[]) {
  for (const id of ids) await refreshNotifications(deps, refreshOf(world.app.orgId, id))
}

const limited = () => world.sandbox.log.list().filter(({ status }) => status === 429).length
const timesOf = (type: 'post' | 'update') =>
  sent.filter((one) => one.type === type).map(({ atMs }) => atMs)

describe('fifty deployments at once', () => {
  it('are fifty messages, at most one a second, of which Slack refuses none', async () => {
    await refresh(await addDeployments(50))
    await work()
    expect(world.sandbox.slack.messages('deployments')).toHaveLength(50)
    const times = timesOf('post')
    expect(times).toHaveLength(50)
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000)
    expect(limited()).toBe(0)
    // None waits longer than the others made it.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(50 * 1_200)
  }, 120_000)

  it('control: are refused where nobody knows what was sent before', async () => {
    await refresh(await addDeployments(10))
    await work(async () => void (await world.app.test.asOwner('delete from chat_rates')))
    expect(limited()).toBeGreaterThan(0)
  }, 120_000)

  it('that all change are at most fifty updates in any minute', async () => {
    const ids = await addDeployments(60)
    await refresh(ids)
    await work()
    await world.app.test.asOwner(`update deployments set state = 'success'`)
    await refresh(ids)
    await work()
    const times = timesOf('update')
    expect(times).toHaveLength(60)
    const inMinute = (fromMs: number) =>
      times.filter((atMs) => atMs >= fromMs && atMs < fromMs + 60_000).length
    expect(Math.max(...times.map(inMinute))).toBeLessThanOrEqual(50)
    const messages = world.sandbox.slack.messages('deployments')
    expect(new Set(messages.map(({ text }) => text.split(' · ')[0]))).toEqual(
      new Set(['✅ Deployed to production']),
    )
  }, 120_000)
})

describe('a pause that Slack asks for', () => {
  it('holds the whole channel until then, and costs no try', async () => {
    const fault = { kind: 'answer', status: 429, headers: { 'retry-after': '90' } } as const
    world.sandbox.faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
    await refresh(await addDeployments(5))
    await work()
    const [first = 0, ...others] = timesOf('post')
    expect(others).toHaveLength(5)
    expect(Math.min(...others) - first).toBeGreaterThanOrEqual(90_000)
    const rows = await world.app.test.asOwner('select state, failures from notifications')
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ state: 'live', failures: 0 })]),
    )
  }, 120_000)

  it('is over when it was stored while the clock was ten years ahead', async () => {
    await refresh(await addDeployments(1))
    await work()
    await refresh(await addDeployments(1))
    const decade = new Date(now() + 10 * 365 * 86_400_000)
    const database = world.app.test
    await database.asOwner('update chat_rates set spent_until = $1, reserved_until = $1', [decade])
    await database.asOwner(`update notifications set hold_until = $1 where state = 'wanted'`, [
      decade,
    ])
    world.sandbox.clock.advance(10_000)
    const behind = await database.store.maintenance((tx) =>
      listBehindRows(tx, { now: new Date(now()), except: [], limit: 10 }),
    )
    for (const ref of behind) await sendNotification(deps, ref)
    expect([behind.length, timesOf('post').length]).toEqual([1, 2])
  }, 120_000)

  it('control: is not kept by those who do not know of it', async () => {
    const fault = { kind: 'answer', status: 429, headers: { 'retry-after': '90' } } as const
    world.sandbox.faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
    await refresh(await addDeployments(5))
    await work(async () => void (await world.app.test.asOwner('delete from chat_rates')))
    const [first = 0, ...others] = timesOf('post')
    expect(Math.min(...others) - first).toBeLessThan(90_000)
  }, 120_000)
})
