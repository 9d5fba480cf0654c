import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes
let first: Service
let second: Service

beforeAll(async () => {
  nodes = await openNodes()
  // On a database without anything in it: whoever is first installs the queues.
  ;[first, second] = await Promise.all([nodes.start(), nodes.start()])
})

afterAll(() => nodes.close())

describe('nodes on one database', () => {
  it('start at the same time, and each does what another was told', async () => {
    const { org, target, snapshot } = await nodes.addConfiguration(first)
    const key = await nodes.call<{ id: string; secret: string }>(first, `POST ${org}/api-keys`, {
      name: 'web',
      kind: 'b2m',
    })
    const readAt = async ({ configUrl }: Service) => {
      const answer = await fetch(`${configUrl}${snapshot}?apiKey=${key.secret}`)
      return { status: answer.status, body: await answer.json() }
    }
    await nodes.call(second, `PUT ${org}/config-values`, { ...target, values: { theme: 'light' } })
    for (const node of [first, second]) {
      await expect
        .poll(() => readAt(node))
        .toMatchObject({ status: 200, body: { public: { theme: 'light' } } })
    }
    await nodes.call(second, `DELETE ${org}/api-keys/${key.id}`)
    for (const node of [first, second]) {
      await expect.poll(() => readAt(node)).toMatchObject({ status: 401 })
    }
  })

  it('let a key that reads production write staging by a grant, each from the answer of one of them on', async () => {
    const { org, target, snapshot } = await nodes.addConfiguration(first)
    const make = (path: string, body: object) =>
      nodes.call<{ id: string; secret: string }>(first, `POST ${org}${path}`, body)
    const staging = await make('/environments', { name: 'staging' })
    const key = await make('/api-keys', { name: 'Deploy key', kind: 'm2m', access: 'read' })
    const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' }
    const write = (environmentId: string) =>
      Promise.all(
        [first, second].map(async ({ apiUrl }) => {
          const body = JSON.stringify({ ...target, environmentId, values: { theme: 'light' } })
          const request = { method: 'PUT', headers, body }
          return (await fetch(`${apiUrl}${org}/config-values`, request)).status
        }),
      )
    const grant = () =>
      make('/grants', { keyId: key.id, role: 'editor', environmentIds: [staging.id] })
    expect(await write(staging.id)).toEqual([403, 403])
    const { id } = await grant()
    expect(await write(staging.id)).toEqual([200, 200])
    expect(await write(target.environmentId)).toEqual([403, 403])
    expect((await fetch(`${second.configUrl}${snapshot}`, { headers })).status).toBe(200)
    await nodes.call(first, `DELETE ${org}/grants/${id}`)
    expect(await write(staging.id)).toEqual([403, 403])
    await grant()
    await nodes.call(first, `DELETE ${org}/api-keys/${key.id}`)
    const left = await nodes.call<{ items: unknown[] }>(second, `GET ${org}/grants`)
    expect(left.items).toEqual([])
  })

  it('tell at once of a proxy that is not declared, and name it to the operator alone', async () => {
    const { apiUrl } = first
    const readProxyCheck = async (path: string) =>
      (await nodes.call<{ checks: Record<string, object> }>(first, `GET ${path}`)).checks['proxy']
    expect(await readProxyCheck('/server/status')).toBeUndefined()
    await fetch(`${apiUrl}/healthz`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
    expect(await readProxyCheck('/server/status')).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringContaining('come from 127.0.0.1, which SIGNALBOX_TRUSTED_PROXIES'),
    })
    const open = await fetch(`${apiUrl}/readyz`)
    expect(open.status).toBe(200)
    const { checks } = (await open.json()) as { checks: Record<string, object> }
    expect(checks['proxy']).toMatchObject({ ok: true, warning: true })
    expect(JSON.stringify(checks['proxy'])).not.toContain('127.0.0.1')
  })

  it('warn the operator alone that the bootstrap token is still set', async () => {
    const status = await nodes.call<{ checks: Record<string, object> }>(first, 'GET /server/status')
    expect(status.checks['bootstrapToken']).toMatchObject({ ok: true, warning: true })
    const open = await fetch(`${first.apiUrl}/readyz`)
    expect(await open.text()).not.toMatch(/bootstrap/i)
  })

  it('are joined by another one while they run, as an update without a pause needs it', async () => {
    const third = await nodes.start()
    expect((await fetch(`${third.apiUrl}/readyz`)).status).toBe(200)
    await first.close()
    await third.close()
    expect((await fetch(`${second.apiUrl}/readyz`)).status).toBe(200)
  })
})
