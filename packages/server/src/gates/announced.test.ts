import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attentionOfGate } from '../overview/attention-of-gates.ts'
import { renderDeploymentMessage } from '../notifications/messages/render-deployment-message.ts'
import { listGateAttention } from '../read-models/overview/gate-attention-rows.ts'
import { findDeploymentSubject } from '../read-models/notifications/subject-rows.ts'
import { openGatesApp, shaOf, type GatesApp } from './testing/open-gates-app.ts'

let gates: GatesApp
const sha = shaOf('a')

beforeAll(async () => {
  gates = await openGatesApp()
  await gates.person('dan', 'admin')
  await gates.addGate([
    { rule: 'tests', environmentId: gates.staging, withinHours: 24 },
    { rule: 'approvals', count: 1, members: [] },
  ])
  const events = ['deployment.waiting', 'deployment.passed', 'deployment.refused']
  await gates.app.test.asOwner(
    `insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, sealed_secrets, has_authorization, created_at)
      values ($1, 'whk_1', 'all', 'https://example.com', $2, 'generic', true, '', false, now())`,
    [gates.app.orgId, events],
  )
})
afterAll(() => gates.close())

describe('a deployment that waits', () => {
  it('is shown with its wait on its page, in its message and under what needs attention', async () => {
    const { orgId } = gates.app
    const id = await gates.addDeployment({
      sha,
      environmentId: gates.production,
      state: 'waiting',
      externalId: '7001',
    })
    await gates.tell()
    const page = (await gates.app.ok('dan', `GET /deployments/${id}`)).body
    expect(page.gate).toMatchObject({
      state: 'waiting',
      deploymentId: id,
      may: { approve: true, override: true, refuse: true },
    })
    expect(page.timeline).toMatchObject([
      { kind: 'created' },
      {
        kind: 'gate',
        state: 'waiting',
        title: 'Waits for tests of aaaaaaa in staging and 1 more',
        nextStep: expect.any(String),
      },
    ])
    const read = async () =>
      gates.app.test.store.transaction({ orgId }, async (tx) => ({
        subject: await findDeploymentSubject(tx, orgId, id),
        attention: await listGateAttention(tx, orgId, {
          since: new Date(gates.now().getTime() - 7 * 24 * 3_600_000),
          until: new Date(gates.now().getTime() - 15 * 60_000),
        }),
      }))
    expect((await read()).attention).toEqual([])
    gates.passMs(16 * 60_000)
    const waiting = await read()
    expect(waiting.attention.map(attentionOfGate)).toMatchObject([
      { code: 'deployment_waits', title: 'A deployment to production waits for people' },
    ])
    const decision = page.gate.id
    await gates.app.ok('dan', `POST /gate-decisions/${decision}/override`, {
      body: { comment: 'The shop is down' },
    })
    const after = await read()
    expect(after.attention.map(attentionOfGate)).toMatchObject([
      {
        code: 'gate_overridden',
        title: 'dan let a deployment to production go on',
        detail: expect.stringContaining('The shop is down'),
      },
    ])
    const { subject } = after
    expect(subject?.view.gate).toBe(
      'dan let it go on without waiting for tests of aaaaaaa in staging and 1 more: The shop is down',
    )
    const message = subject && renderDeploymentMessage(subject.view, null)
    expect(JSON.stringify(message?.facts)).toContain('dan let it go on')
  })

  it('is announced to outgoing webhooks when it waits, goes on and is refused', async () => {
    const { orgId, test } = gates.app
    await test.asOwner('delete from outgoing_messages where org_id = $1', [orgId])
    await gates.tell({ runId: '901', environment: 'staging' })
    await gates.tell({ runId: '902', isFork: true })
    await gates.tell({ runId: '903' })
    const [{ id }] = (await gates.decisions()) as [{ id: string }]
    await gates.app.ok('dan', `POST /gate-decisions/${id}/refuse`, { body: { comment: 'Later' } })
    const messages = await test.asOwner<{ type: string; data: object }>(
      'select type, data from outgoing_messages where org_id = $1 order by id',
      [orgId],
    )
    const run = (number: string) => ({ id: number, attempt: 1 })
    expect(messages).toMatchObject([
      { type: 'deployment.passed', data: { run: run('901'), environment: 'staging', sha } },
      {
        type: 'deployment.refused',
        data: { run: run('902'), reasons: [{ code: 'fork' }, {}, {}] },
      },
      {
        type: 'deployment.waiting',
        data: { run: run('903'), waitedFor: 'tests of aaaaaaa in staging and 1 more' },
      },
      {
        type: 'deployment.refused',
        data: { run: run('903'), by: { name: 'dan' }, comment: 'Later' },
      },
    ])
  })
})
