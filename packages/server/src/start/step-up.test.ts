import {
  asksForPassword,
  endpoints,
  hasDryRun,
  isWrite,
  type EndpointShape,
  type MadeThing,
} from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnected, type Connected } from './testing/open-connected.ts'

const all: readonly EndpointShape[] = Object.values(endpoints)
const declared = all.filter(asksForPassword)
const doors = all.filter(({ opens }) => opens === 'door')

/** Tells apart the credentials that are no browser's. */
interface Bearers {
  /** Of the owner. */
  readonly token: string
  readonly managingToken: string
  readonly bootstrap: string
  readonly readKey: string
  readonly writeKey: string
}

let service: Connected
let reveal: string
let bearers: Bearers

beforeAll(async () => {
  const bootstrap = 'the bootstrap token of the tests, long enough'.replaceAll(' ', '-')
  service = await openConnected({ more: { SIGNALBOX_BOOTSTRAP_TOKEN: bootstrap } })
  const { ask, orgId } = service
  const { items } = await ask<{ items: { id: string }[] }>('GET /environments')
  const schema = { name: 'web', schema: { token: { type: 'string', tier: 'secret' } } }
  const { id } = await ask<{ id: string }>('POST /config-schemas', schema)
  const place = { schemaId: id, environmentId: items[0]?.id ?? '' }
  await ask('PUT /config-values', { ...place, values: { token: 'the secret of the test' } })
  const keyOf = async (access: string) => {
    const key = { name: access, kind: 'm2m', access }
    return (await ask<{ secret: string }>('POST /api-keys', key)).secret
  }
  bearers = {
    token: await makeToken({ name: 'plain' }),
    managingToken: await makeToken({ name: 'manages', manages: true }),
    bootstrap,
    readKey: await keyOf('read'),
    writeKey: await keyOf('write'),
  }
  reveal = `GET /organizations/${orgId}/config-values?${new URLSearchParams({ ...place, reveal: 'true' })}`
})
afterAll(() => service?.close())

/** Places where only some words stand for anything. */
const words: Readonly<Record<string, string>> = { kind: 'codehost', provider: 'github' }

const toRequest = ({ method, path }: EndpointShape) =>
  `${method} ${path
    .replace('{org_id}', service.orgId)
    .replaceAll(/\{(\w+)\}/g, (_, place: string) => words[place] ?? 'absent')}`

const ofBrowser = () => ({
  cookie: service.session,
  origin: service.apiUrl,
  'x-requested-by': 'dashboard',
})
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** Sends a request, and returns the code of the problem, or else the status. */
async function send(
  request: string,
  headers: Readonly<Record<string, string>> = ofBrowser(),
  body = '{}',
): Promise<string | number> {
  const [method = '', path = ''] = request.split(' ')
  const answer = await fetch(`${service.apiUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body }),
  })
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json')
  if (isProblem === true) return ((await answer.json()) as { readonly code: string }).code
  // A stream never ends by itself.
  await answer.body?.cancel()
  return answer.status
}

async function makeToken(body: object): Promise<string> {
  const made = await fetch(`${service.apiUrl}/me/tokens`, {
    method: 'POST',
    headers: { ...ofBrowser(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await made.json()) as { readonly secret: string }).secret
}

const typedMinutesAgo = (minutes: number) =>
  service.asOwner(
    `update sessions set authenticated_at = now() - make_interval(mins => ${minutes})`,
  )

async function answersOf(
  requests: readonly string[],
  headers?: Readonly<Record<string, string>>,
  body?: string,
) {
  const answers: (readonly [request: string, answer: string | number])[] = []
  for (const request of requests) answers.push([request, await send(request, headers, body)])
  return answers
}

/** The look first: some of the others end what it looks at. */
const allRequests = () => [reveal, ...declared.map(toRequest)]

describe('a personal access token of an owner', () => {
  const doorRequests = () => doors.map(toRequest)
  const told = async (secret: string) => {
    const answers = await answersOf(doorRequests(), bearer(secret))
    return answers.filter(([, answer]) => answer === 'session_required').map(([request]) => request)
  }

  it('opens no door: what it made would go on after it is revoked', async () => {
    expect(doors).not.toEqual([])
    expect(await told(bearers.token)).toEqual(doorRequests())
  })

  it('control: with the right to manage it does, and so does the bootstrap token', async () => {
    expect(await told(bearers.managingToken)).toEqual([])
    expect(await told(bearers.bootstrap)).toEqual([])
    const name = 'made by a token'
    const create = (secret: string) =>
      fetch(`${service.apiUrl}/organizations/${service.orgId}/api-keys`, {
        method: 'POST',
        headers: { ...bearer(secret), 'content-type': 'application/json' },
        body: JSON.stringify({ name, kind: 'b2m' }),
      })
    expect((await create(bearers.token)).status).toBe(403)
    expect((await create(bearers.managingToken)).status).toBe(201)
  })

  it('with the right to manage makes no token and lets no device in', async () => {
    const requests = ['POST /me/tokens', 'POST /device/approve']
    const bodies = {
      'POST /me/tokens': { name: 'more' },
      'POST /device/approve': { userCode: 'BBBB-BBBB' },
    }
    for (const request of requests) {
      const [method = '', path = ''] = request.split(' ')
      const answer = await fetch(`${service.apiUrl}${path}`, {
        method,
        headers: { ...bearer(bearers.managingToken), 'content-type': 'application/json' },
        body: JSON.stringify(Reflect.get(bodies, request)),
      })
      expect([request, answer.status, await answer.json()]).toMatchObject([
        request,
        403,
        { code: 'session_required' },
      ])
    }
  })
})

describe('what a token made', () => {
  const org = () => `/organizations/${service.orgId}`
  const call = async (secret: string, request: string, body?: object) => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await fetch(`${service.apiUrl}${path}`, {
      method,
      headers: { ...bearer(secret), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    // oxlint-disable-next-line typescript/no-explicit-any -- the test looks into answers of every shape
    const json: any = text === '' ? undefined : JSON.parse(text)
    expect([request, answer.ok ? '' : json]).toEqual([request, ''])
    return json
  }
  /** The operations that must have been used, but for those of targets, which need a destination. */
  const pauses: { [Name in NonNullable<MadeThing['pausedBy']>]?: true } = {
    pauseApiKey: true,
    pauseOutgoingWebhook: true,
    revokeInvitation: true,
  }
  const made = { type: 'personal_access_token', id: expect.any(String), name: 'manages' }

  it('says so in every list, and in the audit log', async () => {
    const secret = bearers.managingToken
    await call(secret, `POST ${org()}/api-keys`, { name: 'planted', kind: 'm2m' })
    const invited = { email: 'planted@example.com', role: 'admin' }
    const { url } = await call(secret, `POST ${org()}/invitations`, invited)
    const hook = { name: 'planted', url: 'https://hooks.example.com/in', events: ['flag.changed'] }
    await call(secret, `POST ${org()}/outgoing-webhooks`, hook)
    await call(secret, `POST ${org()}/signals`, { name: 'planted', spec: { kind: 'alert' } })
    const lists = [
      ['api-keys', 'createdWith'],
      ['signals', 'createdWith'],
      ['invitations', 'invitedWith'],
      ['outgoing-webhooks', 'createdWith'],
    ] as const
    for (const [list, field] of lists) {
      const { items } = await call(secret, `GET ${org()}/${list}`)
      const planted = items.find(({ name, email }: { name?: string; email?: string }) =>
        (name ?? email)?.startsWith('planted'),
      )
      expect([list, planted[field]]).toEqual([list, made])
    }
    const register = { token: url.split('#')[1], name: 'Mallory', password: 'ruby-otter-canal-37' }
    const joined = await fetch(`${service.apiUrl}/invitations/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(register),
    })
    expect(joined.status).toBe(201)
    const { items: members } = await call(secret, `GET ${org()}/members`)
    expect(members.at(-1)).toMatchObject({ name: 'Mallory', grantedWith: made })
    const { items: events } = await call(secret, `GET ${org()}/audit-events?action=key.created`)
    expect(events[0]).toMatchObject({ target: { name: 'planted' }, with: made })
    expect(events[0].actor).not.toHaveProperty('credential')
  })

  it('is listed for whoever revokes it, also what it changed, and any token pauses it', async () => {
    const secret = bearers.managingToken
    const { id: userId } = await call(secret, 'GET /me')
    const { items: tokens } = await call(secret, 'GET /me/tokens')
    const tokenId = tokens.find(({ name }: { name: string }) => name === made.name).id
    const inBrowser = await fetch(`${service.apiUrl}${org()}/api-keys`, {
      method: 'POST',
      headers: { ...ofBrowser(), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'rotated', kind: 'b2m' }),
    })
    const { id: honest } = await inBrowser.json()
    const invitation = { email: 'waits@example.com', role: 'viewer' }
    await call(secret, `POST ${org()}/invitations`, invitation)
    const listed = async (query = `?token=${tokenId}`) => {
      const path = `${org()}/members/${userId}/made${query}`
      return (await call(secret, `GET ${path}`)).items as MadeThing[]
    }
    expect((await listed()).map(({ id }) => id)).not.toContain(honest)
    await call(secret, `POST ${org()}/api-keys/${honest}/rotate`, { overlapSeconds: 0 })
    const named = (items: readonly MadeThing[]) =>
      items.map(({ kind, name, did }) => [kind, name, did].join(' ')).toSorted()
    expect(named(await listed())).toEqual([
      'api_key made by a token created',
      'api_key planted created',
      'api_key rotated changed',
      'invitation waits@example.com created',
      'member Mallory created',
      'outgoing_webhook planted created',
      'signal planted created',
    ])
    const ofPerson = named(await listed(''))
    expect(ofPerson).toEqual(
      expect.arrayContaining(['api_key rotated created', 'api_key First browser key created']),
    )
    const requests = { ...pauses }
    for (const { id, pausedBy } of await listed()) {
      if (pausedBy === null) continue
      const { method, path } = endpoints[pausedBy]
      const request = `${method} ${path.replace('{org_id}', service.orgId).replace(/\{\w+\}/, id)}`
      await call(bearers.token, request)
      delete requests[pausedBy]
    }
    expect([named(await listed()), requests]).toEqual([
      ['member Mallory created', 'signal planted created'],
      {},
    ])
    const events = await call(secret, `GET ${org()}/audit-events?action=key.paused`)
    expect(events.items).toHaveLength(3)
    const key = await call(secret, `GET ${org()}/api-keys/${honest}`)
    expect(key.state).toBe('expired')
    const back = await call(secret, `PATCH ${org()}/api-keys/${honest}`, { expiresAt: null })
    expect(back.state).toBe('active')
  })

  it('control: of what was made in a browser, the session is named', async () => {
    const answer = await fetch(`${service.apiUrl}${org()}/api-keys`, {
      method: 'POST',
      headers: { ...ofBrowser(), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'honest', kind: 'b2m' }),
    })
    const key = await answer.json()
    expect(key).toMatchObject({ createdWith: { type: 'session', name: null } })
  })
})

describe('a server key that only reads', () => {
  /** The report of a run checks its sender by itself. */
  const report = `POST /organizations/{org_id}/test-runs/absent/report`
  const forKeys = all.filter(
    ({ access, listener }) =>
      listener !== 'delivery' && access.kind === 'organization' && access.keys !== 'none',
  )

  it('writes nowhere: no endpoint of the whole service forgets it', async () => {
    const requests = [
      ...forKeys.filter(isWrite).map(toRequest),
      report.replace('{org_id}', service.orgId),
    ]
    expect(requests.length).toBeGreaterThan(30)
    const refused = requests.map((request) => [request, 'key_read_only'])
    expect(await answersOf(requests, bearer(bearers.readKey))).toEqual(refused)
    const control = await answersOf(requests, bearer(bearers.writeKey))
    expect(control.filter(([, answer]) => answer === 'key_read_only')).toEqual([])
  })

  it('tries what it may not do: a dry run stores nothing', async () => {
    const trials = forKeys.filter((each) => isWrite(each) && hasDryRun(each)).map(toRequest)
    expect(trials.length).toBeGreaterThan(5)
    const bodies = ['{"dryRun":true}', '{"dryRun":false}', '{"dryRun":"true"}', '[{"dryRun":true}]']
    for (const body of bodies) {
      const answers = await answersOf(trials, bearer(bearers.readKey), body)
      const refused = answers.filter(([, answer]) => answer === 'key_read_only')
      expect([body, refused.length]).toEqual([body, body === bodies[0] ? 0 : trials.length])
    }
  })

  it('reads whatever a key that writes reads', async () => {
    const requests = forKeys.filter((each) => !isWrite(each)).map(toRequest)
    const read = await answersOf(requests, bearer(bearers.readKey))
    expect(read).toEqual(await answersOf(requests, bearer(bearers.writeKey)))
  })
})

describe('a password that was typed eleven minutes ago', () => {
  it('is asked for again by whatever of the whole service declares it, and by a look at a secret', async () => {
    await typedMinutesAgo(11)
    expect(declared).not.toEqual([])
    const refused = allRequests().map((request) => [request, 'step_up_required'])
    expect(await answersOf(allRequests())).toEqual(refused)
  })

  it('control: would have done for each of them two minutes before', async () => {
    await typedMinutesAgo(9)
    const answers = await answersOf(allRequests())
    expect(answers.filter(([, answer]) => answer === 'step_up_required')).toEqual([])
    expect(answers[0]).toEqual([reveal, 200])
  })
})
