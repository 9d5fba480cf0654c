import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callJira, connect, redirectUri } from './testing/connect.ts'

const sandbox = await openSandbox()
let token: string

beforeEach(async () => {
  sandbox.jira.app.redirectUris = [redirectUri]
  token = (await connect(sandbox, 'read:jira-work write:jira-work')).access_token
})

const object = { title: 'Deployed to production', url: 'http://127.0.0.1:4400/deployments/1' }
const globalId = 'signalbox:deployment:1'

function put(body: unknown, key = 'ABC-1'): Promise<Response> {
  return callJira(sandbox, token, `/issue/${key}/remotelink`, body)
}

async function list(query = ''): Promise<unknown> {
  return (await callJira(sandbox, token, `/issue/ABC-1/remotelink${query}`)).json()
}

describe('a remote link', () => {
  it('is created, and updated under the same globalId', async () => {
    const created = await put({ globalId, object, relationship: 'was deployed by' })
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: number }
    const changed = { ...object, title: 'Rolled back' }
    const updated = await put({ globalId, object: changed })
    expect(updated.status).toBe(200)
    expect(await updated.json()).toMatchObject({ id })
    // Fields that the update leaves out are gone.
    expect(await list()).toEqual([{ id, self: expect.any(String), globalId, object: changed }])
  })

  it('without a globalId is another one each time', async () => {
    await put({ object })
    expect((await put({ object })).status).toBe(201)
    expect(await list()).toHaveLength(2)
  })

  it('is found by its globalId', async () => {
    await put({ globalId, object })
    expect(await list(`?globalId=${globalId}`)).toMatchObject({ globalId, object })
    const unknown = await callJira(sandbox, token, '/issue/ABC-1/remotelink?globalId=other')
    expect(unknown.status).toBe(404)
  })

  it('belongs to its issue, under a former key as well', async () => {
    await put({ globalId, object })
    sandbox.jira.moveIssue('ABC-1', 'WEB2')
    expect((await put({ globalId, object })).status).toBe(200)
    expect((await put({ globalId, object }, 'ABC-2')).status).toBe(201)
  })

  it('takes a globalId of 255 characters and refuses a longer one', async () => {
    expect((await put({ globalId: 'x'.repeat(255), object })).status).toBe(201)
    const refused = await put({ globalId: 'x'.repeat(256), object })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ errors: { globalId: expect.any(String) } })
  })

  it.each([
    [{ globalId }, 'title'],
    [{ object: { url: object.url } }, 'title'],
    [{ object: { title: 'No address' } }, 'url'],
    [{ object: { title: 'No address', url: 'nowhere' } }, 'url'],
    [{ object, globalId: 1 }, 'globalId'],
    [{ object, relationship: 1 }, 'relationship'],
  ])('is refused: %j', async (body, field) => {
    const refused = await put(body)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      errorMessages: [],
      errors: { [field]: expect.any(String) },
    })
    expect(await list()).toEqual([])
  })

  it('is not written to an issue that is not there or hidden', async () => {
    for (const key of ['ABC-999', 'SEC-1']) {
      expect((await put({ object }, key)).status).toBe(404)
      expect((await callJira(sandbox, token, `/issue/${key}/remotelink`)).status).toBe(404)
    }
  })
})
