import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Problem } from '@signalbox/contract'
import { createJobs } from '../jobs/create-jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import type { CodehostEvent } from '../providers/codehosts/event.ts'
import { readWebhookSamples } from '../providers/github/testing/webhook-samples.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Tx } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'
import type { DeliveryResult } from './delivery.ts'
import { workInbox } from './jobs.ts'
import type { PullDeps } from './pull-deliveries.ts'
import { processWebhook, type ProcessDeps } from './process-webhook.ts'
import { healQueue, inboxQueue } from './queue.ts'
import { requeueStranded } from './requeue-stranded.ts'
import { openInboxApp, webhookProvider, type InboxApp } from './testing/open-inbox-app.ts'

let inbox: InboxApp
beforeAll(async () => {
  inbox = await openInboxApp()
})
beforeEach(() => inbox.clear())
afterAll(() => inbox.close())

const push = JSON.stringify({
  installation: { id: 7 },
  repository: { id: 9, full_name: 'acme/shop' },
  ref: 'refs/heads/main',
  after: 'abc',
})

/** The events that Signalbox has a use for. */
const ours = new Set([
  'deployment',
  'deployment_status',
  'github_app_authorization',
  'installation',
  'installation_repositories',
  'ping',
  'push',
  'workflow_run',
])

/** A handler that stores what PostgreSQL may refuse. */
async function storeJson(tx: Tx, json: string): Promise<DeliveryResult> {
  await tx.query({ name: 'store-json', text: 'select $1::jsonb as stored', values: [json] })
  return { outcome: 'done' }
}

/** Tries every stored webhook once, in order. */
async function tryAll(deps: Partial<ProcessDeps> = {}, isLastTry = false): Promise<void> {
  for (const { id } of await inbox.listRows()) {
    await processWebhook({ ...inbox.processDeps, ...deps }, { id, isLastTry })
  }
}

describe('processWebhook', () => {
  it('ends every sample of GitHub as done, or ignored with a reason', async () => {
    const samples = readWebhookSamples().map(({ event, payload }) => ({
      event,
      body: JSON.stringify(payload),
    }))
    expect(new Set(samples.map(({ event }) => event)).size).toBe(58)
    const answers = await Promise.all(samples.map(({ event, body }) => inbox.send(body, { event })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    const handed: CodehostEvent['type'][] = []
    const codehost = (_of: unknown, { type }: CodehostEvent) => {
      handed.push(type)
      return Promise.resolve({ outcome: 'done' } as const)
    }
    await tryAll({ codehost })
    const rows = await inbox.listRows()
    expect(rows).toHaveLength(samples.length)
    const unsettled = rows.filter(
      ({ state, reason }) => !(state === 'done' || (state === 'ignored' && reason !== null)),
    )
    expect(unsettled).toEqual([])
    expect(new Set(handed)).toEqual(
      new Set(['deployment', 'deploymentStatus', 'pullRequest', 'push', 'access']),
    )
    // The rest of ours are of hooks of single repositories, which name no installation: none was misread.
    const unread = rows.filter(({ event, reason }) => ours.has(event) && reason !== null)
    expect(new Set(unread.map(({ reason }) => reason))).toEqual(
      new Set(['The webhook names no account.']),
    )
  })

  it('hands an event to the integration of its account, and notes whose it is', async () => {
    await inbox.send(push)
    const handed: unknown[] = []
    const codehost: ProcessDeps['codehost'] = (...of) => {
      handed.push(of)
      return Promise.resolve({ outcome: 'done' })
    }
    const asked: unknown[] = []
    const findIntegration: ProcessDeps['findIntegration'] = (...of) => {
      asked.push(of)
      return inbox.processDeps.findIntegration(...of)
    }
    await tryAll({ codehost, findIntegration })
    expect(asked).toEqual([['github', '7']])
    expect(handed).toMatchObject([
      [
        { orgId: inbox.orgId, integrationId: 'int_1' },
        { type: 'push', ref: 'refs/heads/main' },
      ],
    ])
    expect(await inbox.listRows()).toMatchObject([
      { state: 'done', reason: null, org_id: inbox.orgId, attempts: 1 },
    ])
  })

  it('tells the tracker that shares the connection, and whose webhook it is', async () => {
    const issue = { id: 77, number: 12, title: 'Changed' }
    const repository = { id: 9, full_name: 'Acme/Shop' }
    const body = { action: 'edited', issue, repository, installation: { id: 7 } }
    await inbox.send(JSON.stringify(body), { event: 'issues' })
    const handed: unknown[] = []
    const tracker: ProcessDeps['tracker'] = (...of) => {
      handed.push(of)
      return Promise.resolve({ outcome: 'done' })
    }
    const codehost = () => Promise.reject(new Error('Issues are not the code host’s'))
    const findIntegration: ProcessDeps['findIntegration'] = async (provider) =>
      provider === 'github-issues' ? { orgId: inbox.orgId, integrationId: 'int_2' } : undefined
    await tryAll({ tracker, codehost, findIntegration })
    expect(handed).toEqual([
      [
        { orgId: inbox.orgId, integrationId: 'int_2' },
        { type: 'issueChanged', key: 'acme/shop#12', externalId: '77' },
      ],
    ])
    expect(await inbox.listRows()).toMatchObject([{ state: 'done', org_id: inbox.orgId }])
  })

  it('ignores an issue where nobody uses that tracker', async () => {
    await inbox.send(JSON.stringify({ action: 'edited', installation: { id: 7 } }), {
      event: 'issues',
    })
    await tryAll({ findIntegration: () => Promise.resolve(undefined) })
    expect(await inbox.listRows()).toMatchObject([{ state: 'ignored' }])
  })

  it('is done once: a second job of the same webhook does nothing', async () => {
    await inbox.send(push)
    let handed = 0
    const codehost: ProcessDeps['codehost'] = () => {
      handed += 1
      return Promise.resolve({ outcome: 'done' })
    }
    await tryAll({ codehost })
    await tryAll({ codehost })
    expect(handed).toBe(1)
  })

  it('ignores what is of an account that nobody is connected to', async () => {
    await inbox.send(push)
    await tryAll({ findIntegration: () => Promise.resolve(undefined) })
    expect(await inbox.listRows()).toMatchObject([
      { state: 'ignored', reason: 'No organization is connected to this account.', org_id: null },
    ])
  })

  it.each([
    '',
    '<html>',
    '{"installation":',
    '{"installation":{"id":7},"deployment":{"id":"NaN"}}',
    `{"a":${'['.repeat(100_000)}`,
    '\u0000',
  ])('ignores a body that is poison, with a reason (%#)', async (body) => {
    await inbox.send(body, { event: 'deployment' })
    await tryAll()
    expect(await inbox.listRows()).toMatchObject([
      { state: 'ignored', reason: expect.stringMatching(/\.$/) },
    ])
  })

  it('notes a failure and throws, so that the queue tries again; the next try may do it', async () => {
    await inbox.send(push)
    const codehost = () => Promise.reject(new Error('the secret is 1234'))
    await expect(tryAll({ codehost })).rejects.toThrow('1234')
    const reason = 'Signalbox hit an unexpected error. The cause is in the server’s log.'
    expect(await inbox.listRows()).toMatchObject([{ state: 'failed', reason, attempts: 1 }])
    await tryAll()
    expect(await inbox.listRows()).toMatchObject([{ state: 'done', reason: null, attempts: 2 }])
  })

  it('is set aside after its second try where it fails by what it says, with its cause and none of its text', async () => {
    const causes: readonly [string, ProcessDeps['codehost']][] = [
      ['22P02', () => inbox.store.maintenance((tx) => storeJson(tx, String.raw`"\ud800"`))],
      ['22021', () => inbox.store.maintenance((tx) => storeJson(tx, '"a\0b"'))],
      ['TypeError', () => Promise.reject(new TypeError('the secret is 1234'))],
    ]
    for (const [cause, codehost] of causes) {
      await inbox.clear()
      await inbox.send(push)
      await expect(tryAll({ codehost })).rejects.toThrow(/./)
      expect(await inbox.listRows()).toMatchObject([{ state: 'failed', attempts: 1 }])
      await tryAll({ codehost })
      expect(await inbox.listRows()).toMatchObject([
        { state: 'dead', attempts: 2, reason: expect.stringContaining(`(${cause})`) },
      ])
      expect(JSON.stringify(await inbox.listRows())).not.toContain('1234')
    }
  })

  it('is tried on where the moment is to blame', async () => {
    const moments = [
      new ProviderError({ provider: 'github', failure: 'unavailable', code: '502' }),
      new Problem('db_unavailable', 'Away.'),
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    ]
    for (const moment of moments) {
      await inbox.clear()
      await inbox.send(push)
      for (const attempts of [1, 2, 3]) {
        await expect(tryAll({ codehost: () => Promise.reject(moment) })).rejects.toBe(moment)
        expect(await inbox.listRows()).toMatchObject([{ state: 'failed', attempts }])
      }
    }
  })

  it('is dead after the last try, and does not throw', async () => {
    await inbox.send(push)
    const error = new ProviderError({ provider: 'github', failure: 'unavailable', code: '502' })
    await tryAll({ codehost: () => Promise.reject(error) }, true)
    expect(await inbox.listRows()).toMatchObject([
      { state: 'dead', reason: 'github: unavailable (502)' },
    ])
  })
})

describe('requeueStranded', () => {
  it('gives a webhook a job again that has none for half an hour, once in that time', async () => {
    for (const deliveryId of ['old', 'young', 'done']) await inbox.send(push, { deliveryId })
    await inbox.test
      .asOwner(`update received_webhooks set received_at = now() - interval '31 minutes',
      state = case delivery_id when 'old' then 'processing' else 'done' end where delivery_id <> 'young';
      delete from pgboss.job`)
    const deps = { store: inbox.store, jobs: inbox.jobs, now: () => new Date() }
    expect([await requeueStranded(deps), await requeueStranded(deps)]).toEqual([1, 0])
    expect(await inbox.listJobs()).toHaveLength(1)
  })

  it('leaves one alone that ended the process at each try, until a person has it done again', async () => {
    await inbox.send(push, { deliveryId: 'fatal' })
    await inbox.test
      .asOwner(`update received_webhooks set received_at = now() - interval '31 minutes', state = 'processing';
      delete from pgboss.job;
      insert into failed_jobs (id, queue, job_id, data, data_hash, subject_id, cause, reason, attempts, failed_at)
        select 'job_1', 'inbox.process', gen_random_uuid(), '{}', '', id, 'process_ended', '', 8, now() from received_webhooks`)
    const deps = { store: inbox.store, jobs: inbox.jobs, now: () => new Date() }
    expect(await requeueStranded(deps)).toBe(0)
    await inbox.test.asOwner('update failed_jobs set retried_at = now()')
    expect(await requeueStranded(deps)).toBe(1)
  })
})

describe('workInbox', () => {
  /** Starts jobs that are woken by what is announced, as those of the service are. */
  async function startJobs(inbound: QueueDefinition<typeof inboxQueue.name>, log = silentLog) {
    const { target } = inbox.store
    const jobs = await createJobs({ target, queues: [inbound, healQueue], log, worker: true })
    const forget = inbox.store.onAnnounce('jobs', () => jobs.wake())
    onTestFinished(async () => {
      forget()
      await jobs.close(1_000)
    })
    return jobs
  }
  /** With all eight tries a webhook that fails by what it says would take two minutes. */
  const hasty = { ...inboxQueue, retryDelaySeconds: 1 }

  it('does those behind one that always fails by what it says after two tries of it, as they came', async () => {
    const refs = ['poison', 'r1', 'r2', 'r3']
    for (const ref of refs) await inbox.send(push.replace('refs/heads/main', ref))
    const done: string[] = []
    const codehost: ProcessDeps['codehost'] = (_of, event) => {
      if (event.type !== 'push') throw new Error(event.type)
      if (event.ref !== 'poison') done.push(event.ref)
      return inbox.store.maintenance((tx) =>
        storeJson(tx, event.ref === 'poison' ? String.raw`"\ud800"` : '1'),
      )
    }
    const jobs = await startJobs(hasty)
    const requeue = { store: inbox.store, jobs, now: () => new Date() }
    const process = { ...inbox.processDeps, codehost }
    await workInbox(jobs, { process, requeue, openPulls: () => [] })
    await expect.poll(() => done, { timeout: 20_000 }).toEqual(refs.slice(1))
    const states = async () =>
      (await inbox.listRows()).map(({ state, attempts }) => [state, attempts])
    await expect.poll(states, { timeout: 20_000 }).toEqual([
      ['dead', 2],
      ['done', 1],
      ['done', 1],
      ['done', 1],
    ])
  })

  it('fails no job while a provider is away, since the next run looks again', async () => {
    let fails: ProviderError['failure'] = 'unavailable'
    let pulls = 0
    const [warnings, failures]: [string[], string[]] = [[], []]
    const log = { ...silentLog, warn: (message: string) => void failures.push(message) }
    const jobs = await startJobs(inboxQueue, log)
    const deliveries: PullDeps['log'] = {
      listDeliveries() {
        pulls += 1
        throw new ProviderError({ provider: 'github', failure: fails, code: 'x' })
      },
      getDelivery: () => Promise.resolve(undefined),
    }
    const heal = () => inbox.store.maintenance((tx) => jobs.enqueue(tx, healQueue.name, {}))
    await workInbox(jobs, {
      process: {
        ...inbox.processDeps,
        log: { ...silentLog, warn: (message) => void warnings.push(message) },
      },
      requeue: { store: inbox.store, jobs, now: () => new Date() },
      openPulls: () => [{ ...inbox.deps, provider: webhookProvider('github'), log: deliveries }],
    })
    for (const count of [1, 2]) {
      await heal()
      await expect.poll(() => pulls, { timeout: 20_000 }).toBe(count)
    }
    expect([failures, warnings]).toEqual([
      [],
      [expect.stringContaining('until the provider answers')],
    ])
    // Control: what a person has to mend fails.
    fails = 'unauthorized'
    await heal()
    await expect
      .poll(() => failures, { timeout: 20_000 })
      .toContainEqual(expect.stringContaining('permanently failed'))
  })

  it('does webhooks of one repository one after the other, as they came, and one fails first', async () => {
    const refs = Array.from({ length: 5 }, (_, at) => `r${at}`)
    for (const ref of refs) await inbox.send(push.replace('refs/heads/main', ref))
    const done: string[] = []
    let tries = 0
    const codehost: ProcessDeps['codehost'] = (_of, event) => {
      tries += 1
      if (tries === 1) return Promise.reject(new Error('not yet'))
      if (event.type === 'push') done.push(event.ref)
      return Promise.resolve({ outcome: 'done' })
    }
    const jobs = await startJobs(hasty)
    const requeue = { store: inbox.store, jobs, now: () => new Date() }
    await workInbox(jobs, {
      process: { ...inbox.processDeps, codehost },
      requeue,
      openPulls: () => [],
    })
    await expect.poll(() => done, { timeout: 20_000 }).toEqual(refs)
  })
})
