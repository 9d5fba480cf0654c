import { Problem } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodehostDeployment } from '../../providers/codehosts/deployment.ts'
import type { TrackerIssue } from '../../providers/tracker.ts'
import { getDeployment } from '../../read-models/deployments/get-deployment.ts'
import { presentDetail } from '../../read-models/deployments/present-deployment.ts'
import { recordCodehostEvent } from '../reports/record-codehost-event.ts'
import { enrichDeployment } from './enrich-job.ts'
import { beginSync } from '../sync/start-sync.ts'
import { hostFailure } from '../testing/fake-codehost.ts'
import {
  at,
  buildDeployment,
  buildStatus,
  created,
  reported,
  shop,
  type TestOrganization,
} from '../testing/open-deployments.ts'
import { openSyncs, type TestSyncs } from '../testing/open-syncs.ts'

let app: TestSyncs
let organization: TestOrganization

beforeAll(async () => {
  app = await openSyncs()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.test.asOwner('delete from pending_jobs')
  organization = await app.addOrganization()
  app.clock = at(1000)
  app.host.repositories = [{ ...shop, environments: [], deployments: [] }]
  Object.assign(app.host, { beforeCall: () => undefined, comparison: undefined, left: undefined })
  app.host.messages.clear()
  app.host.calls.length = 0
  app.tracker.asked.length = 0
  app.tracker.answer = (keys) =>
    keys.map((key) => ({ key, outcome: 'found', issue: buildIssue(key) }))
})

const buildIssue = (key: string): TrackerIssue => ({
  externalId: key.replace(/\D/g, ''),
  key,
  title: `Title of ${key}`,
  type: 'Story',
  status: 'Done',
  statusCategory: 'done',
  assignee: null,
  priority: null,
  url: `https://acme.atlassian.net/browse/${key}`,
})

/** A deployment that has succeeded, as a webhook tells of it. */
async function deploy(
  number: number,
  message: string | null = null,
  more: Partial<CodehostDeployment> = {},
) {
  const { orgId } = organization
  const deployment = buildDeployment(number, { headCommitMessage: message, ...more })
  if (message !== null) app.host.messages.set(deployment.sha, message)
  const told = { orgId, source: 'webhook' } as const
  await recordCodehostEvent(app.work, { ...told, event: created(deployment) })
  const event = reported(deployment, buildStatus(number, 'success'))
  await recordCodehostEvent(app.work, { ...told, event })
  const [row] = await app.test.asOwner<{ id: string }>(
    'select id from deployments where org_id = $1 and external_id = $2',
    [orgId, deployment.externalId],
  )
  return { orgId, id: row?.id ?? '' }
}

async function show({ orgId, id }: { orgId: string; id: string }) {
  const caller = { orgId, scope: { orgId }, environmentIds: null }
  return presentDetail(await getDeployment(app.deps, caller, id))
}

/** Neither tests nor a chat are set up here, which is said each time. */
const ownSteps: ReadonlySet<string> = new Set(['No tests', 'No message'])
const skippedSteps = async (of: { orgId: string; id: string }) =>
  (await show(of)).timeline.filter(({ kind, title }) => kind === 'skipped' && !ownSteps.has(title))
const skippedLines = async (of: { orgId: string; id: string }) =>
  (await skippedSteps(of)).map(({ detail }) => detail)

describe('the commits of a deployment', () => {
  it('are those since the last success there, and of the first deployment its own', async () => {
    const first = await deploy(1)
    await app.doJobs()
    const second = await deploy(2)
    await app.doJobs()
    expect(await show(first)).toMatchObject({ relation: 'first', range: { base: null, total: 1 } })
    expect(await show(second)).toMatchObject({
      relation: 'forward',
      range: { base: buildDeployment(1).sha, status: 'ahead', total: 1, truncated: false },
    })
    expect(app.host.calls).toEqual(['getCommit 1296269 aaa1', 'compare 1296269 aaa1 aaa2'])
  })

  it('are asked for once, however often something changes', async () => {
    const of = await deploy(1)
    await app.doJobs()
    await enrichDeployment(app.work, of)
    expect(app.host.calls).toHaveLength(1)
  })

  it('are not asked for again once the deployment before it was deleted', async () => {
    const first = await deploy(1)
    const second = await deploy(2)
    await app.doJobs()
    const { range } = await show(second)
    await app.test.asOwner('delete from deployments where id = $1', [first.id])
    app.host.calls.length = 0
    await enrichDeployment(app.work, second)
    expect(app.host.calls).toEqual([])
    expect(await show(second)).toMatchObject({ range, relation: 'forward', previous: null })
  })

  it('are not asked for when the deployment itself was deleted meanwhile', async () => {
    const of = await deploy(1)
    await app.test.asOwner('delete from deployments where id = $1', [of.id])
    await app.doJobs()
    expect([app.host.calls, app.dead]).toEqual([[], []])
  })

  it('are asked for again when another success comes between meanwhile', async () => {
    await deploy(1)
    await app.doJobs()
    const third = await deploy(3)
    const late = buildDeployment(2)
    let arriving: Promise<unknown> | undefined
    app.host.comparison = (base) => {
      arriving ??= deploy(2)
      return {
        status: 'ahead',
        total: 1,
        isTruncated: false,
        commits: [{ sha: base, message: 'x', author: null, at: null, url: null, parents: [] }],
      }
    }
    await app.doJobs()
    await arriving
    await app.doJobs()
    expect((await show(third)).range).toMatchObject({ base: late.sha })
  })

  it.each([
    ['full', { total: 1 }],
    ['newest', null],
  ] as const)(
    'that the host did not show a moment ago: a sync that is %s asks again, or leaves them',
    async (depth, range) => {
      app.host.beforeCall = () => {
        throw hostFailure('forbidden')
      }
      const of = await deploy(1)
      await app.doJobs()
      expect(await skippedLines(of)).toHaveLength(1)
      app.host.beforeCall = () => undefined
      const { orgId } = of
      await app.deps.store.transaction({ orgId }, (tx) => beginSync(app.work, tx, orgId, depth))
      await enrichDeployment(app.work, of)
      expect(await show(of)).toMatchObject({ range })
    },
  )

  it('are left out where the host does not show them, with the reason, and the message of the head counts', async () => {
    app.host.beforeCall = () => {
      throw hostFailure('forbidden')
    }
    const of = await deploy(1, 'ABC-7 Sign in')
    await app.doJobs()
    expect(await show(of)).toMatchObject({ range: null, issueKeys: ['ABC-7'] })
    expect(await skippedLines(of)).toEqual([
      expect.stringMatching(/let Signalbox read the repository/),
    ])
    const steps = await skippedSteps(of)
    app.clock = at(1000 + 601)
    await enrichDeployment(app.work, of)
    // It couldn't since the first time, and not since the last.
    expect(await skippedSteps(of)).toEqual(steps)
    app.host.beforeCall = () => undefined
    app.clock = at(1000 + 1202)
    await enrichDeployment(app.work, of)
    expect(await skippedLines(of)).toEqual([])
    expect(await show(of)).toMatchObject({ range: { total: 1 } })
  })

  it('are those of the head where the one before is gone from the host', async () => {
    await deploy(1)
    await app.doJobs()
    app.host.beforeCall = (call) => {
      if (call.startsWith('compare')) throw hostFailure('notFound')
    }
    const of = await deploy(2)
    await app.doJobs()
    expect(await show(of)).toMatchObject({ range: { status: null, total: 1, truncated: true } })
    expect(await skippedLines(of)).toEqual([expect.stringMatching(/no longer on GitHub/)])
  })

  it('that the host does not have are no reason to ask for a permission', async () => {
    app.host.beforeCall = () => {
      throw hostFailure('notFound')
    }
    const of = await deploy(1)
    await app.doJobs()
    const [skipped] = await skippedSteps(of)
    expect(skipped).toMatchObject({
      title: 'Couldn’t compare commits',
      detail: expect.stringMatching(/^GitHub has no commit aaaaaaa /),
      nextStep: 'Check which commit your pipeline reports.',
      actions: [],
    })
  })

  it('wait as long as the host asks, which is no failed try, and the tracker is asked all the same', async () => {
    let isAsked = false
    app.host.beforeCall = () => {
      if (isAsked) return
      isAsked = true
      throw hostFailure('rateLimited', at(2000))
    }
    const of = await deploy(1, 'ABC-7 Sign in')
    await app.doJobs()
    expect(await app.waiting()).toEqual([{ queue: 'deployments.enrich', startAfter: at(2000) }])
    expect((await show(of)).issues).toMatchObject([{ key: 'ABC-7', state: 'linked' }])
    app.clock = at(2001)
    await app.doJobs()
    expect(await show(of)).toMatchObject({ range: { total: 1 } })
  })

  it('of one that was found by a sync leave half of the rate limit', async () => {
    const of = await deploy(1)
    await app.test.asOwner('delete from pending_jobs')
    app.host.left = { remaining: 2500, limit: 5000, resetsAt: at(5000) }
    await app.test.asOwner('update deployments set is_history = true where id = $1', [of.id])
    await enrichDeployment(app.work, of)
    expect(app.host.calls).toEqual([])
    expect(await app.waiting()).toEqual([{ queue: 'deployments.enrich', startAfter: at(5000) }])
    await app.test.asOwner('update deployments set is_history = false where id = $1', [of.id])
    await enrichDeployment(app.work, of)
    expect(app.host.calls).toHaveLength(1)
  })
})

describe('the issues of a deployment', () => {
  it('are looked up once, and after ten minutes again', async () => {
    const of = await deploy(1, 'ABC-7 Sign in, in UTF-8')
    await app.doJobs()
    await enrichDeployment(app.work, of)
    expect(app.tracker.asked).toEqual([['ABC-7']])
    app.clock = at(1000 + 599)
    await enrichDeployment(app.work, of)
    expect(app.tracker.asked).toHaveLength(1)
    app.clock = at(1000 + 601)
    await enrichDeployment(app.work, of)
    expect(app.tracker.asked).toHaveLength(2)
  })

  it('stay pending with the reason while the tracker is away, and the queue tries again', async () => {
    let isAway = true
    app.tracker.answer = (keys) => {
      if (isAway) throw hostFailure('unavailable')
      return keys.map((key) => ({ key, outcome: 'found', issue: buildIssue(key) }))
    }
    const of = await deploy(1, 'ABC-7 Sign in')
    await expect(enrichDeployment(app.work, of)).rejects.toThrow('unavailable')
    expect(await skippedLines(of)).toEqual([expect.stringMatching(/is unreachable or failing/)])
    isAway = false
    await app.doJobs()
    expect((await show(of)).issues).toMatchObject([{ state: 'linked', reason: null }])
  })

  it('stay pending where the tracker has to be connected again, and are read anew when it is', async () => {
    const refused = {
      ...app.work,
      openTracker: () => Promise.reject(new Problem('reauth_required', 'Connect it again.')),
    }
    const of = await deploy(1, 'ABC-7 Sign in')
    await app.test.asOwner('delete from pending_jobs')
    await enrichDeployment(refused, of)
    expect(await skippedLines(of)).toEqual(['Connect it again.'])
    await requestReread()
    await app.doJobs()
    expect((await show(of)).issues).toMatchObject([{ state: 'linked', reason: null }])
  })

  it('that stand in its payload alone are found when a tracker is connected later', async () => {
    await app.test.asOwner(
      `update integrations set state = 'disconnected' where org_id = $1 and kind = 'tracker'`,
      [organization.orgId],
    )
    app.clock = at(100)
    const filler = 'x'.repeat(5_000)
    const payloadText = JSON.stringify({ filler, issue: 'ABC-7', hash: 'SHA-256', more: filler })
    const of = await deploy(1, null, { payloadText })
    await deploy(1, null, { payloadText })
    await app.doJobs()
    expect((await show(of)).issueKeys).toEqual([])
    const [kept] = await app.test.asOwner<{ texts: string }>(
      'select key_texts::text as texts from deployments where id = $1',
      [of.id],
    )
    expect(kept?.texts.match(/ABC-7/g)).toHaveLength(1)
    expect(kept?.texts.length).toBeLessThan(500)
    await app.test.asOwner(
      `update integrations set state = 'connected' where org_id = $1 and kind = 'tracker'`,
      [organization.orgId],
    )
    await track(['ABC'])
    await requestReread()
    await app.doJobs()
    expect((await show(of)).issues).toMatchObject([
      {
        key: 'ABC-7',
        state: 'linked',
        evidence: [{ source: 'payload', text: expect.stringContaining('ABC-7') }],
      },
    ])
    await requestReread()
    await app.doJobs()
    expect((await show(of)).issues[0]?.evidence).toHaveLength(1)
  })

  it('are those of the projects that count by now', async () => {
    app.clock = at(100)
    const of = await deploy(1, 'ABC-7 Sign in, and NEW-3')
    await app.doJobs()
    expect((await show(of)).issueKeys).toEqual(['ABC-7'])
    await track(['NEW'])
    await requestReread()
    await app.doJobs()
    expect((await show(of)).issueKeys).toEqual(['NEW-3'])
    await track(['NEW', 'ABC'])
    await requestReread()
    await app.doJobs()
    expect((await show(of)).issueKeys).toEqual(['ABC-7', 'NEW-3'])
  })
})

describe('keys that count for none', () => {
  it('are shown with where they stand and the project to track, also where it never counted', async () => {
    await track(['ABC'])
    await deploy(1)
    await app.doJobs()
    const of = await deploy(2, 'ABC-7 Sign in, OPS-4 and UTF-8 with it')
    await app.doJobs()
    const { issues, issueKeys } = await show(of)
    expect(issueKeys).toEqual(['ABC-7'])
    expect(issues).toMatchObject([
      { key: 'ABC-7', state: 'linked' },
      {
        key: 'OPS-4',
        state: 'ignored',
        evidence: [{ source: 'commit', text: 'ABC-7 Sign in, OPS-4 and UTF-8 with it' }],
      },
    ])
    expect(await skippedSteps(of)).toMatchObject([
      {
        title: 'OPS-4 is ignored',
        detail: 'Its project is not tracked.',
        actions: [{ kind: 'track_project', projectKey: 'OPS' }],
      },
    ])
    await track(['ABC', 'OPS'])
    await requestReread()
    await app.doJobs()
    expect((await show(of)).issueKeys).toEqual(['ABC-7', 'OPS-4'])
    expect(await skippedSteps(of)).toEqual([])
  })

  it('are one step without a tracker, which leads to connecting one', async () => {
    await app.test.asOwner(
      `update integrations set state = 'disconnected' where org_id = $1 and kind = 'tracker'`,
      [organization.orgId],
    )
    const of = await deploy(1, 'ABC-7 Sign in, and NEW-3')
    await app.doJobs()
    expect(await skippedSteps(of)).toMatchObject([
      {
        title: '2 keys are not looked up',
        detail: 'ABC-7, NEW-3. No issue tracker is connected.',
        actions: [{ kind: 'connect', integration: 'tracker' }],
      },
    ])
  })
})

async function track(projectKeys: string[]): Promise<void> {
  await app.test.asOwner(
    `update integrations set settings = $2 where org_id = $1 and kind = 'tracker'`,
    [organization.orgId, JSON.stringify({ projectKeys })],
  )
}

async function requestReread(): Promise<void> {
  await app.test.asOwner(
    `insert into pending_jobs (queue, key, start_after, data)
      select 'deployments.reread', id, $2, json_build_object('orgId', org_id, 'id', id)
      from integrations where org_id = $1 and kind = 'tracker'`,
    [organization.orgId, app.clock],
  )
}
