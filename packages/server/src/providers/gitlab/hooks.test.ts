import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import type { HookReport } from '../codehosts/hooks.ts'
import { findConnectionSender, findWebhookProvider } from '../find-provider.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'
import { parseGitlabIssueEvent } from './issues/webhook-events.ts'
import { parseGitlabEvent } from './webhook-events.ts'
import { gitlabWebhooks } from './webhooks.ts'

let opened: OpenGitlab
let shop: ReturnType<OpenGitlab['addShop']>
let server: Server
let url: string
/** Holds what came, with what the server answers. */
const came: { headers: Record<string, string>; body: Buffer }[] = []
let status = 200

beforeAll(async () => {
  opened = await openGitlab()
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      came.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts) })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/gitlab/int_1`
})
beforeEach(() => {
  opened.sandbox.reset()
  shop = opened.addShop()
  came.length = 0
  status = 200
})
afterAll(async () => {
  server.close()
  await opened.close()
})

const hooksOf = (scopes = ['api'], username = 'ada') => {
  const { hooks } = opened.apiWith(scopes, username)
  if (hooks === undefined) throw new Error('It makes no webhooks')
  return hooks
}

async function install(
  before?: HookReport,
  repositoryIds = [shop.id],
  withIssues = false,
): Promise<HookReport> {
  const hooks = hooksOf()
  const secrets = before?.secrets ?? hooks.newSecrets()
  return hooks.install({
    url,
    secrets,
    hooks: before?.hooks ?? [],
    formerPaths: [],
    repositoryIds,
    withIssues,
  })
}

async function deploy() {
  const { activity, hooks } = opened.gitlab
  const made = { ref: 'main', environment: 'production', user: shop.user }
  const deployment = activity.deploy(shop.project, made)
  activity.setDeploymentStatus(shop.project, deployment, 'running')
  await hooks.settled()
  return deployment
}

/** Returns whether the last webhook is taken with these secrets. */
function isTaken(secrets: readonly string[], changed: Record<string, string | undefined> = {}) {
  const last = came.at(-1)
  if (last === undefined) throw new Error('No webhook came')
  const headers = { ...last.headers, ...changed }
  const claim = gitlabWebhooks.readClaim((name) => headers[name], opened.sandbox.clock.now())
  return claim?.isVerifiedBy(secrets, last.body) === true
}

describe('a webhook of a project', () => {
  it('is made once, with deployments and pipelines alone', async () => {
    const report = await install()
    expect(report).toMatchObject({ problem: null, hooks: [expect.stringContaining(`${shop.id}#`)] })
    const [hook, ...others] = [...shop.project.hooks.values()]
    expect(others).toEqual([])
    expect(hook?.triggers).toEqual(
      new Set(['deployment_events', 'merge_requests_events', 'pipeline_events']),
    )
    const written = () => opened.sent.filter((line) => !line.startsWith('GET')).length
    const before = written()
    expect(await install(report)).toEqual(report)
    expect(written()).toBe(before)
  })

  it('replaces those of connections that have ended, wherever they lead, and no other', async () => {
    await install()
    const [own] = [...shop.project.hooks.values()]
    if (own === undefined) throw new Error('It has no webhook')
    const addAt = (id: number, at: string) => shop.project.hooks.set(id, { ...own, id, url: at })
    addAt(901, url.replace(/[^/]+$/, 'int_ended'))
    addAt(902, 'https://former.example/webhooks/gitlab/int_ended')
    addAt(903, url.replace(/[^/]+$/, 'int_of_others'))
    const asked = { url, secrets: ['s'], hooks: [], repositoryIds: [shop.id], withIssues: false }
    const report = await hooksOf().install({
      ...asked,
      formerPaths: ['/webhooks/gitlab/int_ended'],
    })
    expect(report.problem).toBeNull()
    expect([...shop.project.hooks.values()].map((hook) => hook.url)).toEqual([
      url,
      expect.stringContaining('int_of_others'),
    ])
  })

  it('reports issues as well while their tracker uses the connection, and never confidential ones', async () => {
    const { activity, hooks } = opened.gitlab
    const first = await install()
    const report = await install(first, [shop.id], true)
    const issue = activity.openIssue(shop.project, { title: 'Show', author: shop.user })
    activity.openIssue(shop.project, { title: 'Hide', author: shop.user, isConfidential: true })
    await hooks.settled()
    expect(came).toHaveLength(1)
    const [{ headers, body } = { headers: {}, body: Buffer.from('') }] = came
    expect(parseGitlabIssueEvent(headers['x-gitlab-event'] ?? '', body)).toEqual({
      type: 'issueChanged',
      key: 'acme/shop#1',
      externalId: String(issue.id),
    })
    expect(parseGitlabEvent('Issue Hook', body)).toMatchObject({ type: 'ignored' })
    // Control: without the tracker, an issue is nobody’s business.
    await install(report)
    activity.closeIssue(shop.project, issue)
    await hooks.settled()
    expect(came).toHaveLength(1)
  })

  it('counts by its signature alone once the instance signs', async () => {
    const { secrets } = await install()
    expect(secrets).toEqual([expect.stringMatching(/^whsec_/)])
    await deploy()
    expect(isTaken(secrets)).toBe(true)
    // Control: the token that came as well proves nothing any more, nor does the key itself.
    expect(isTaken(secrets, { 'webhook-signature': undefined })).toBe(false)
    expect(isTaken(secrets, { 'webhook-signature': undefined, 'x-gitlab-token': secrets[0] })).toBe(
      false,
    )
    expect(isTaken(secrets, { 'webhook-id': 'another' })).toBe(false)
  })

  it('with a wrong signature is refused, even if its token is right', async () => {
    const hooks = hooksOf()
    const secrets = hooks.newSecrets()
    await hooks.install({
      url,
      secrets,
      hooks: [],
      formerPaths: [],
      repositoryIds: [shop.id],
      withIssues: false,
    })
    await deploy()
    const forged = `v1,${Buffer.alloc(32).toString('base64')}`
    for (const signature of [forged, 'v1', '']) {
      expect(isTaken(secrets, { 'webhook-signature': signature })).toBe(false)
    }
    // Control: its signature is right, and so is its token.
    expect(isTaken(secrets)).toBe(true)
    expect(isTaken(secrets, { 'webhook-signature': undefined })).toBe(true)
  })

  it('is had by a project whose webhook was made without merge requests', async () => {
    const report = await install()
    const [hook] = shop.project.hooks.values()
    Object.assign(hook ?? {}, { triggers: new Set(['deployment_events', 'pipeline_events']) })
    await install(report)
    expect(hook?.triggers).toContain('merge_requests_events')
    expect([...shop.project.hooks.values()]).toEqual([hook])
  })

  it('counts by its token as well until that of every project signs', async () => {
    const other = opened.gitlab.activity.addProject({ fullPath: 'acme/api' })
    const ids = [shop.id.replace(/\d+$/, String(other.id)), shop.id]
    expect((await install(undefined, [])).secrets).toHaveLength(2)
    // A node of an older version answers for the first.
    const made = {
      id: 1,
      url,
      deployment_events: true,
      pipeline_events: true,
      merge_requests_events: true,
    }
    const headers = { 'content-type': 'application/json' }
    const fault = { kind: 'answer', status: 201, headers, body: JSON.stringify(made) } as const
    opened.sandbox.faults.add({ provider: 'gitlab', request: 'POST ', fault })
    const report = await install(undefined, ids)
    expect(report).toMatchObject({ secrets: { length: 2 }, hooks: { length: 2 } })
    expect((await install(report, ids)).secrets).toEqual([report.secrets[1]])
  })

  it('counts by its token while another one that sends it could not be looked at', async () => {
    const other = opened.gitlab.activity.addProject({ fullPath: 'acme/api' })
    const ids = [shop.id, shop.id.replace(/\d+$/, String(other.id))]
    opened.gitlab.settings.hasSigningTokens = false
    const before = await install(undefined, ids)
    opened.gitlab.settings.hasSigningTokens = true
    other.members.set(shop.user.id, 'developer')
    const report = await install(before, ids)
    expect(report).toMatchObject({ secrets: before.secrets, hooks: before.hooks })
    expect(report.problem).toContain('the role Maintainer')
    // Control: with the role again that one signs as well, and the token is forgotten.
    other.members.set(shop.user.id, 'owner')
    expect((await install(report, ids)).secrets).toEqual([before.secrets[1]])
  })

  it('counts by its signature alone, though a project that never had one gets none', async () => {
    const other = opened.gitlab.activity.addProject({ fullPath: 'acme/api' })
    other.members.set(shop.user.id, 'developer')
    const ids = [shop.id, shop.id.replace(/\d+$/, String(other.id))]
    const report = await install(undefined, ids)
    expect(report.secrets).toEqual([expect.stringMatching(/^whsec_/)])
    expect(report.hooks).toHaveLength(1)
  })

  it('keeps its token when this server has another address', async () => {
    opened.gitlab.settings.hasSigningTokens = false
    const report = await install()
    const [hook] = shop.project.hooks.values()
    if (hook !== undefined) hook.url = `${url}/former`
    await install(report)
    await deploy()
    expect(shop.project.hooks.size).toBe(1)
    expect(isTaken(report.secrets)).toBe(true)
  })

  it('of another instance is left alone, though its numbers are the same', async () => {
    const report = await install()
    const asked = { url, secrets: report.secrets, formerPaths: [], withIssues: false }
    const toForeign = (id: string) => id.replace(/^.*\//, 'gitlab.example/')
    const hooks = report.hooks.map(toForeign)
    expect(await hooksOf().install({ ...asked, hooks, repositoryIds: [] })).toMatchObject({
      hooks: [],
    })
    expect(shop.project.hooks.size).toBe(1)
    shop.project.hooks.clear()
    await hooksOf().install({
      ...asked,
      hooks: [],
      formerPaths: [],
      repositoryIds: [toForeign(shop.id)],
    })
    expect(shop.project.hooks.size).toBe(0)
  })

  it('counts by its token where the instance ignores the signing token', async () => {
    opened.gitlab.settings.hasSigningTokens = false
    const report = await install()
    expect(report.secrets).toHaveLength(2)
    await deploy()
    expect(isTaken(report.secrets)).toBe(true)
    expect(isTaken(report.secrets, { 'x-gitlab-token': 'another' })).toBe(false)
    // The instance learns to sign: from then on the token is worth nothing.
    opened.gitlab.settings.hasSigningTokens = true
    const next = await install(report)
    expect(next.secrets).toEqual([report.secrets[1]])
    await deploy()
    expect(isTaken(next.secrets)).toBe(true)
    expect(isTaken(next.secrets, { 'webhook-signature': undefined })).toBe(false)
  })

  it('never falls back to a token when an instance stops signing', async () => {
    const signed = await install()
    shop.project.hooks.clear()
    opened.gitlab.settings.hasSigningTokens = false
    const report = await install(signed)
    expect(report.secrets).toEqual(signed.secrets)
    expect(report.problem).toContain('no longer signs')
  })

  it('that pauses after four failures says so, and does not while GitLab still delivers', async () => {
    const report = await install()
    status = 503
    for (let failed = 0; failed < 3; failed += 1) await deploy()
    expect((await install(report)).problem).toBeNull()
    await deploy()
    expect((await install(report)).problem).toContain('has paused the webhook in one project')
  })

  it('that GitLab has switched off after forty failures is on again', async () => {
    const report = await install()
    status = 410
    for (let failed = 0; failed < 40; failed += 1) {
      opened.sandbox.clock.advance(24 * 3_600_000)
      await deploy()
    }
    const received = came.length
    status = 200
    opened.sandbox.clock.advance(24 * 3_600_000)
    await deploy()
    // Control: by itself it stays off.
    expect(came).toHaveLength(received)
    const repaired = await install(report)
    expect(repaired.problem).toBeNull()
    came.length = 0
    await deploy()
    expect(came).toHaveLength(1)
  })

  it('is removed where the project counts no more', async () => {
    const report = await install()
    expect(await install(report, [])).toMatchObject({ hooks: [], problem: null })
    expect(shop.project.hooks.size).toBe(0)
  })

  it('that cannot be made says why, and who can change that', async () => {
    const { id, project } = shop
    const hooks = hooksOf(['api'], 'grace')
    const secrets = hooks.newSecrets()
    const asked = {
      url,
      secrets,
      hooks: [],
      formerPaths: [],
      repositoryIds: [id],
      withIssues: false,
    }
    expect((await hooks.install(asked)).problem).toContain('the role Maintainer')
    opened.gitlab.settings.allowsLocalHooks = false
    expect((await install()).problem).toContain('an administrator of GitLab allows')
    opened.gitlab.settings.allowsLocalHooks = true
    opened.gitlab.settings.hooksPerProject = 0
    expect((await install()).problem).toContain('limit of webhooks')
    expect(project.hooks.size).toBe(0)
  })

  it('comes to an address of its connection, since each has a secret of its own', () => {
    expect(findConnectionSender('gitlab')?.name).toBe('gitlab')
    expect(findWebhookProvider('gitlab')).toBeUndefined()
  })

  it('is not offered to an access that only reads', () => {
    expect(opened.apiWith(['read_api']).hooks).toBeUndefined()
  })
})

describe('what a webhook says', () => {
  it('is which deployment to read: it has no number, and not the whole commit', async () => {
    await install()
    const deployment = await deploy()
    const { headers, body } = came.at(-1) ?? { headers: {}, body: Buffer.alloc(0) }
    const described = gitlabWebhooks.describe((name) => headers[name], body)
    expect(described).toMatchObject({
      isJson: true,
      subject: { event: 'Deployment Hook', repositoryId: String(shop.project.id) },
    })
    expect(parseGitlabEvent('Deployment Hook', body)).toEqual({
      type: 'deploymentHint',
      repositoryId: shop.id,
      deploymentId: String(deployment.id),
    })
    // Control: a deployment that is recorded from the webhook alone has another commit than the one that was deployed.
    const { short_sha: firstDigits } = JSON.parse(body.toString())
    const current = await opened.apiWith(['api']).deployments.read(shop.id, String(deployment.id))
    expect(current?.deployment.sha).toBe(deployment.sha)
    expect(deployment.sha.startsWith(firstDigits)).toBe(true)
    expect(firstDigits).toHaveLength(8)
  })

  it('leads to the same state in whatever order webhooks arrive', async () => {
    await install()
    const deployment = await deploy()
    const { activity, hooks } = opened.gitlab
    activity.setDeploymentStatus(shop.project, deployment, 'success')
    await hooks.settled()
    const arriving = came.map(({ body }) => body).toReversed()
    const stateOf = async (body: Buffer) => {
      const event = parseGitlabEvent('Deployment Hook', body)
      if (event.type !== 'deploymentHint') throw new Error('It is no hint')
      const { repositoryId, deploymentId } = event
      const current = await opened.apiWith(['api']).deployments.read(repositoryId, deploymentId)
      return current?.statuses[0]?.state
    }
    expect(await Promise.all(arriving.map(stateOf))).toEqual(['success', 'success'])
    // Control: by its own word the last one says that it still runs, and no number says that it is older.
    const words = arriving.map((body) => JSON.parse(body.toString()))
    expect(words.map(({ status: word }) => word)).toEqual(['success', 'running'])
    for (const word of words) expect(word).not.toHaveProperty('updated_at')
  })

  it('is nothing where a deployment waits for an approval, which only asking finds', async () => {
    await install()
    const { activity, hooks } = opened.gitlab
    const since = opened.sandbox.clock.now()
    opened.sandbox.clock.advance(1_000)
    const waiting = activity.deploy(shop.project, {
      ref: 'main',
      environment: 'production',
      user: shop.user,
      status: 'blocked',
    })
    await hooks.settled()
    expect(came).toEqual([])
    const { items } = await opened.apiWith(['api']).deployments.list(shop.id, undefined, since)
    expect(items.map(({ externalId }) => externalId)).toEqual([String(waiting.id)])
    // Control: the webhook stands, and tells of the next state.
    activity.setDeploymentStatus(shop.project, waiting, 'running')
    await hooks.settled()
    expect(came).toHaveLength(1)
  })

  it('is one for each webhook and all its repeats, though webhooks share the id of their event', () => {
    const body = Buffer.from('{"status":"running"}')
    const idOf = (headers: Record<string, string>, of = body) => {
      const described = gitlabWebhooks.describe((name) => headers[name], of)
      return described.type === 'webhook' ? described.subject.deliveryId : undefined
    }
    const shared = { 'x-gitlab-event-uuid': 'e1' }
    expect(idOf({ ...shared, 'idempotency-key': 'm1' })).toBe('m1')
    expect(idOf({ ...shared, 'idempotency-key': 'm2' })).toBe('m2')
    // Before GitLab 17.4 equal bodies are one.
    expect(idOf(shared)).toBe(idOf({}))
    expect(idOf(shared)).not.toBe(idOf(shared, Buffer.from('{"status":"success"}')))
  })

  it('is of the instance of the connection, at whatever address people reach it', async () => {
    await install()
    await deploy()
    const { body } = came.at(-1) ?? { body: Buffer.alloc(0) }
    const account = 'gitlab.internal:8080/code/7'
    expect(parseGitlabEvent('Deployment Hook', body, account)).toMatchObject({
      repositoryId: `gitlab.internal:8080/code/${shop.project.id}`,
    })
  })

  it('is our id among the variables of a pipeline', async () => {
    await install()
    const id = newId('run', new Date())
    const { activity, hooks } = opened.gitlab
    activity.startPipeline(shop.project, {
      ref: 'main',
      user: shop.user,
      source: 'api',
      variables: [{ key: 'TEST_RUN_ID', value: id }],
    })
    await hooks.settled()
    expect(parseGitlabEvent('Pipeline Hook', came.at(-1)?.body ?? Buffer.alloc(0))).toMatchObject({
      type: 'run',
      repository: { externalId: shop.id },
      run: { correlation: id, isRequested: true, state: 'queued', attempt: 1 },
    })
  })

  it('is since when a pipeline ran, which a webhook says by how long', async () => {
    await install()
    const { activity, hooks } = opened.gitlab
    activity.startPipeline(shop.project, { ref: 'main', user: shop.user, source: 'api' })
    await hooks.settled()
    const told = JSON.parse(came.at(-1)?.body.toString() ?? '{}')
    const ended = { status: 'success', finished_at: '2026-11-26 10:01:30 UTC', duration: 90 }
    Object.assign(told.object_attributes, ended)
    expect(parseGitlabEvent('Pipeline Hook', Buffer.from(JSON.stringify(told)))).toMatchObject({
      run: { state: 'passed', startedAt: new Date('2026-11-26T10:00:00Z') },
    })
  })

  it.each(['', '[]', '{"object_kind":"deployment"}', '<html>', 'null'])(
    'is nothing where the body is %j',
    (text) => {
      for (const name of ['Deployment Hook', 'Pipeline Hook', 'Push Hook', 'constructor']) {
        expect(parseGitlabEvent(name, Buffer.from(text)).type).toBe('ignored')
      }
    },
  )
})
