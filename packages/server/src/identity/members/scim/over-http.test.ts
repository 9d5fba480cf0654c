import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAgentToken } from '../../../start/testing/open-assistants.ts'
import { openNodes, type Nodes } from '../../../start/testing/open-nodes.ts'
import type { Service } from '../../../start/service.ts'

let nodes: Nodes
let node: Service
let other: Service
let orgId: string
let token: string

const domain = 'acme.example'

beforeAll(async () => {
  nodes = await openNodes()
  node = await nodes.start()
  other = await nodes.start('api,delivery')
  orgId = (await nodes.call<{ id: string }>(node, 'POST /organizations', { name: 'Acme' })).id
  await nodes.asOwner(
    `insert into email_domains (org_id, domain, challenge, created_at, created_by, verified_at)
     values ($1, $2, 'x', now(), '{"type":"system","id":null,"name":"Test"}', now())`,
    [orgId, domain],
  )
  const path = `POST /organizations/${orgId}/scim-tokens`
  token = (await nodes.call<{ secret: string }>(node, path, { name: 'Directory' })).secret
}, 120_000)
afterAll(() => nodes.close())

/** Asks over HTTP with the headers of a directory. */
async function ask(request: string, body?: object, type = 'application/scim+json; charset=utf-8') {
  const [method = '', path = ''] = request.split(/ (.*)/s)
  const answer = await fetch(
    `${node.apiUrl}/organizations/${orgId}/scim/v2${path.replaceAll(' ', '%20')}`,
    {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/scim+json',
        'content-type': type,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  )
  const text = await answer.text()
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  const parsed: any = text === '' ? undefined : JSON.parse(text)
  return { status: answer.status, type: answer.headers.get('content-type'), body: parsed }
}

const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const patch = (...operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

describe('the requests of Okta’s published test of a SCIM 2.0 server', () => {
  const name = `okta@${domain}`
  const sent = {
    schemas: [user],
    userName: name,
    name: { givenName: 'Runscope', familyName: 'Test' },
    emails: [{ primary: true, value: name, type: 'work' }],
    displayName: 'Runscope Test',
    active: true,
  }
  let id: string

  it('reads a page of one user', async () => {
    await nodes.addPerson(orgId, 'owner')
    const { status, body } = await ask('GET /Users?count=1&startIndex=1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ schemas: [list], itemsPerPage: 1, startIndex: 1, totalResults: 1 })
    const [first] = body.Resources
    for (const value of [first.id, first.name.familyName, first.name.givenName, first.userName]) {
      expect(value).not.toBe('')
    }
    expect([first.active, first.emails[0].value]).toEqual([true, first.userName])
    expect((await ask(`GET /Users/${first.id}`)).body).toMatchObject({ id: first.id })
  })

  it('finds nobody who is not there', async () => {
    expect(await ask('GET /Users?filter=userName eq "nobody@acme.example"')).toMatchObject({
      status: 200,
      body: { schemas: [list], totalResults: 0 },
    })
    expect(await ask('GET /Users/00919288221112222')).toMatchObject({
      status: 404,
      type: 'application/scim+json',
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        detail: expect.stringMatching(/./),
      },
    })
  })

  it('creates a user, once, with the content type of JSON', async () => {
    const made = await ask('POST /Users', sent, 'application/json')
    expect(made).toMatchObject({ status: 201, body: sent })
    id = made.body.id
    expect((await ask(`GET /Users/${id}`)).body).toMatchObject(sent)
    expect((await ask('POST /Users', sent, 'application/json')).status).toBe(409)
    expect(
      (await ask(`GET /Users?filter=userName eq "${name.toUpperCase()}"`)).body.totalResults,
    ).toBe(1)
    expect((await ask('GET /Groups')).body).toMatchObject({ schemas: [list] })
  })

  it('updates, deactivates and reactivates the user, by PUT and by PATCH', async () => {
    const renamed = { ...sent, name: { givenName: 'Updated', familyName: 'Test' } }
    expect((await ask(`PUT /Users/${id}`, { ...renamed, id })).body.name.givenName).toBe('Updated')
    for (const active of [false, true]) {
      const answer = await ask(`PATCH /Users/${id}`, patch({ op: 'replace', value: { active } }))
      expect([answer.status, answer.body.active]).toEqual([200, active])
    }
    for (const active of [false, true]) {
      const answer = await ask(`PUT /Users/${id}`, { ...renamed, id, active })
      expect([answer.status, answer.body.active]).toEqual([200, active])
    }
  })
})

describe('the requests that Microsoft publishes of Entra ID', () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  let id: string
  let groupId: string

  it('creates, finds and changes a user', async () => {
    const made = await ask('POST /Users', {
      schemas: [user, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: `entra@${domain}`,
      active: true,
      emails: [{ primary: true, type: 'work', value: `entra.mail@${domain}` }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [enterprise]: { department: 'R&D' },
    })
    id = made.body.id
    expect(made.status).toBe(201)
    expect(
      (await ask(`GET /Users?filter=userName eq "entra@${domain}"`)).body.Resources[0].id,
    ).toBe(id)
    const changed = await ask(
      `PATCH /Users/${id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated@${domain}` },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Legal' },
        { op: 'Replace', path: 'userName', value: `entra2@${domain}` },
      ),
    )
    expect(changed).toMatchObject({
      status: 200,
      body: {
        userName: `entra2@${domain}`,
        name: { familyName: 'updatedFamilyName' },
        emails: [{ value: `updated@${domain}` }],
      },
    })
  })

  it('creates a group, changes its members and its name, and deletes it', async () => {
    const made = await ask('POST /Groups', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    })
    groupId = made.body.id
    expect([made.status, made.body.members]).toEqual([201, []])
    const shown = await ask(`GET /Groups/${groupId}?excludedAttributes=members`)
    expect([shown.status, shown.body.members]).toEqual([200, undefined])
    const found = await ask(
      'GET /Groups?excludedAttributes=members&filter=displayName eq "displayName"',
    )
    expect(found.body.Resources[0].id).toBe(groupId)
    for (const op of ['Add', 'Remove']) {
      const operation = { op, path: 'members', value: [{ $ref: null, value: id }] }
      expect((await ask(`PATCH /Groups/${groupId}`, patch(operation))).status).toBe(200)
      const { members } = (await ask(`GET /Groups/${groupId}`)).body
      expect(members).toHaveLength(op === 'Add' ? 1 : 0)
    }
    const renaming = { op: 'Replace', path: 'displayName', value: 'updatedDisplayName' }
    expect((await ask(`PATCH /Groups/${groupId}`, patch(renaming))).body.displayName).toBe(
      'updatedDisplayName',
    )
    expect((await ask(`DELETE /Groups/${groupId}`)).status).toBe(204)
  })

  it('disables the user, who is still found, and deletes them', async () => {
    const disabling = patch({ op: 'Replace', path: 'active', value: 'False' })
    expect((await ask(`PATCH /Users/${id}`, disabling)).body.active).toBe(false)
    const found = await ask(`GET /Users?filter=userName eq "entra2@${domain}"`)
    expect(found.body.Resources[0].active).toBe(false)
    expect((await ask(`DELETE /Users/${id}`)).status).toBe(204)
    expect((await ask(`GET /Users/${id}`)).status).toBe(404)
  })
})

describe('what a directory reads of the server', () => {
  it('is its abilities, the kinds of resources and their schemas', async () => {
    const { body: config } = await ask('GET /ServiceProviderConfig')
    expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    const { body: types } = await ask('GET /ResourceTypes')
    expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
    const { body: schemas } = await ask('GET /Schemas')
    for (const { id, meta } of [...schemas.Resources, ...types.Resources]) {
      const path = new URL(meta.location).pathname.split('/scim/v2')[1]
      expect((await ask(`GET ${path}`)).body.id).toBe(id)
    }
    expect(await ask('GET /Schemas/urn:x')).toMatchObject({ status: 404, body: { status: '404' } })
  })

  it('is an error of SCIM also where no endpoint is', async () => {
    expect(await ask('GET /Bulk')).toMatchObject({ status: 404, type: 'application/scim+json' })
    expect(await ask('DELETE /Users')).toMatchObject({ status: 405, body: { status: '405' } })
  })
})

describe('a person who is deprovisioned', () => {
  it('reads nothing more within two seconds at another node, open streams included', async () => {
    const made = await ask('POST /Users', { userName: `leaver@${domain}` })
    const person = await nodes.addPerson(orgId, 'developer')
    await nodes.asOwner('update users set email = $2 where id = $1', [
      person.userId,
      `leaver2@${domain}`,
    ])
    expect(made.status).toBe(201)
    const agent = await makeAgentToken(node, `/organizations/${orgId}`, {
      ...person,
      scope: 'read',
    })
    expect((await callTool(agent)).status).toBe(200)
    const headers = { cookie: `__Host-s=${person.session}` }
    const path = `${other.apiUrl}/organizations/${orgId}`
    const stream = await fetch(`${path}/events`, { headers })
    expect(stream.status).toBe(200)
    const ended = readToEnd(stream)
    const begunAt = Date.now()
    const off = patch({ op: 'replace', path: 'active', value: false })
    expect((await ask(`PATCH /Users/${person.userId}`, off)).body.active).toBe(false)
    expect((await fetch(path, { headers })).status).toBe(401)
    const bearer = { authorization: `Bearer ${person.token}` }
    expect((await fetch(`${other.apiUrl}/me`, { headers: bearer })).status).toBe(401)
    expect((await callTool(agent)).status).toBe(401)
    await ended
    expect(Date.now() - begunAt).toBeLessThan(2_000)
  })
})

/** Asks the other node for the tools of assistants. */
function callTool(agentToken: string): Promise<Response> {
  return fetch(`${other.apiUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${agentToken}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
}

async function readToEnd(answer: Response): Promise<void> {
  const reader = answer.body?.getReader()
  while ((await reader?.read())?.done === false);
}
