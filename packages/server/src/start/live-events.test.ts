import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openStream, type OpenedStream } from '../delivery/testing/http-client.ts'
import type { Service } from './service.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes
let first: Service
let second: Service
let org: string
let target: { readonly schemaId: string; readonly environmentId: string }
const opened: OpenedStream[] = []

beforeAll(async () => {
  nodes = await openNodes()
  first = await nodes.start()
  second = await nodes.start('api')
  ;({ org, target } = await nodes.addConfiguration(first))
})
afterAll(async () => {
  for (const stream of opened) stream.close()
  await nodes.close()
})

const orgId = () => org.slice('/organizations/'.length)

async function follow(
  { apiUrl }: Service,
  headers: Readonly<Record<string, string>>,
  path = `${org}/events`,
): Promise<OpenedStream> {
  const stream = await openStream(Number(new URL(apiUrl ?? '').port), path, headers)
  opened.push(stream)
  return stream
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const cookie = (session: string) => ({ cookie: `__Host-s=${session}` })
let written = 0
/** Writes another value each time: what is written as it was before changes nothing, and nothing is told of it. */
const write = () => {
  written += 1
  const values = { theme: `theme ${written}` }
  return nodes.call(first, `PUT ${org}/config-values`, { ...target, values })
}
const positionOf = (stream: OpenedStream) =>
  stream
    .text()
    .match(/^id: (\d+)$/gm)
    ?.at(-1)
    ?.slice(4)

describe('the events of an organization', () => {
  it('tell every node’s readers what was committed on one of them', async () => {
    const { token } = await nodes.addPerson(orgId(), 'viewer')
    const streams = await Promise.all([follow(first, bearer(token)), follow(second, bearer(token))])
    for (const stream of streams) {
      expect(stream.status).toBe(200)
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      })
      await stream.until(/retry: \d{4}\n/)
    }
    await write()
    for (const stream of streams) {
      await stream.until(
        new RegExp(`data: {"topic":"configuration","id":"${target.schemaId}"}\n\n`),
      )
      await stream.until(/data: {"topic":"audit_event"}\n\n/)
    }
  })

  it('go on where they were, on another node', async () => {
    const { token } = await nodes.addPerson(orgId(), 'viewer')
    // A node that could not read for a moment knows no positions from before, and says so: the next time it does.
    const followOnward = async () => {
      const before = await follow(first, bearer(token))
      await before.until(/^id: \d+\n\n/m)
      const position = positionOf(before)
      before.close()
      await write()
      const after = await follow(second, { ...bearer(token), 'last-event-id': position ?? '' })
      await after.until(/"topic":"configuration"/)
      after.close()
      return after.text()
    }
    await expect.poll(followOnward).not.toContain('"topic":"all"')
    const unknown = await follow(second, { ...bearer(token), 'last-event-id': '1' })
    await unknown.until(/data: {"topic":"all"}\n\n/)
    const asked = await follow(second, bearer(token), `${org}/events?lastEventId=1`)
    await asked.until(/data: {"topic":"all"}\n\n/)
  })

  it('begin where /me says, with what was committed after it and before they were opened', async () => {
    const { token } = await nodes.addPerson(orgId(), 'viewer')
    const followFromMe = async () => {
      const witness = await follow(first, bearer(token))
      await witness.until(/^id: \d+\n\n/m)
      const me = await fetch(`${first.apiUrl}/me`, { headers: bearer(token) })
      const { lastEventId } = z.object({ lastEventId: z.string() }).parse(await me.json())
      await write()
      // Told by now: whoever comes later hears of it by their position alone.
      await witness.until(/"topic":"configuration"/)
      witness.close()
      const path = `${org}/events?lastEventId=${lastEventId}`
      const stream = await follow(first, bearer(token), path)
      await stream.until(/"topic":"configuration"/)
      stream.close()
      return stream.text()
    }
    await expect.poll(followFromMe).not.toContain('"topic":"all"')
  })

  it('are told to members alone, and to no API key', async () => {
    const { id } = await nodes.call<{ id: string }>(first, 'POST /organizations', { name: 'Other' })
    const stranger = await nodes.addPerson(id, 'owner')
    const key = await nodes.call<{ secret: string }>(first, `POST ${org}/api-keys`, {
      name: 'ci',
      kind: 'm2m',
    })
    const statuses = await Promise.all(
      [bearer(stranger.token), bearer(key.secret), {}].map(
        async (headers) => (await fetch(`${first.apiUrl}${org}/events`, { headers })).status,
      ),
    )
    expect(statuses).toEqual([404, 403, 401])
  })

  it('are bounded for each person', async () => {
    const { token } = await nodes.addPerson(orgId(), 'viewer')
    for (let n = 0; n < 12; n += 1) await follow(first, bearer(token))
    const refused = await fetch(`${first.apiUrl}${org}/events`, { headers: bearer(token) })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'too_many_streams' })
  })
})

describe('a stream of events', () => {
  const person = () => nodes.addPerson(orgId(), 'viewer')

  it('ends on every node with the session', async () => {
    const { session, userId, token } = await person()
    const streams = await Promise.all([
      follow(first, cookie(session)),
      follow(second, cookie(session)),
    ])
    const other = await follow(second, bearer(token))
    await nodes.asOwner('delete from sessions where user_id = $1', [userId])
    await expect(Promise.all(streams.map(({ ended }) => ended))).resolves.toHaveLength(2)
    await write()
    await other.until(/"topic":"configuration"/)
  })

  it('ends with the token that is revoked', async () => {
    const { userId, token } = await person()
    const stream = await follow(second, bearer(token))
    await nodes.asOwner('update personal_access_tokens set revoked_at = now() where user_id = $1', [
      userId,
    ])
    await expect(stream.ended).resolves.not.toThrow()
  })

  it('ends with the membership', async () => {
    const { userId, token } = await person()
    const stream = await follow(second, bearer(token))
    await nodes.asOwner('delete from members where user_id = $1', [userId])
    await expect(stream.ended).resolves.not.toThrow()
  })

  it('ends with the organization', async () => {
    const made = await nodes.call<{ id: string }>(first, 'POST /organizations', { name: 'Short' })
    const { token } = await nodes.addPerson(made.id, 'viewer')
    const stream = await follow(second, bearer(token), `/organizations/${made.id}/events`)
    await nodes.asOwner('update organizations set deleted_at = now() where id = $1', [made.id])
    await expect(stream.ended).resolves.not.toThrow()
  })

  it('ends on every node when the organization asks for more than its reader has, and not for who has it', async () => {
    const { id } = await nodes.call<{ id: string }>(first, 'POST /organizations', {
      name: 'Strict',
    })
    const path = `/organizations/${id}/events`
    const [one, two] = [await nodes.addPerson(id, 'owner'), await nodes.addPerson(id, 'viewer')]
    await nodes.asOwner(
      `with person as (update users set password_hash = 'x' where id = $1)
        insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())`,
      [one.userId],
    )
    const open = ({ session }: typeof one) =>
      Promise.all([follow(first, cookie(session), path), follow(second, cookie(session), path)])
    const [kept, ended] = [await open(one), await open(two)]
    const policies = {
      secondFactorRequired: true,
      tokenDays: null,
      sessionIdleMinutes: null,
      assistants: { rule: 'none', hosts: [], ownTokens: false },
    }
    await nodes.call(first, `PUT /organizations/${id}/policies`, policies)
    await Promise.all(ended.map((stream) => stream.ended))
    for (const stream of kept) await stream.until(/"topic":"organization"/)
    await nodes.call(second, `POST /organizations/${id}/policies/end-sessions`)
    await expect(Promise.all(kept.map((stream) => stream.ended))).resolves.toHaveLength(2)
  })

  it('ends with its node, which tells it when to come back', async () => {
    const third = await nodes.start('api')
    const { token } = await person()
    const stream = await follow(third, bearer(token))
    await third.close()
    await stream.ended
    expect(stream.text()).toMatch(/retry: \d{4}\n\n$/)
  })
})
