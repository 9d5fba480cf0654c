import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callJira, connect, redirectUri } from './testing/connect.ts'

const sandbox = await openSandbox()
let token: string

beforeEach(async () => {
  sandbox.jira.app.redirectUris = [redirectUri]
  token = (await connect(sandbox)).access_token
})

interface Page {
  readonly values: readonly { readonly key: string }[]
  readonly isLast: boolean
  readonly total: number
  readonly maxResults: number
  readonly nextPage?: string
}

async function search(query = ''): Promise<Page> {
  return (await callJira(sandbox, token, `/project/search${query}`)).json() as Promise<Page>
}

async function keysOf(query?: string): Promise<string[]> {
  return (await search(query)).values.map(({ key }) => key)
}

describe('project/search', () => {
  it('lists the projects that may be browsed, by key', async () => {
    sandbox.jira.addProject({ key: 'AAA', name: 'First' })
    expect(await search()).toMatchObject({
      startAt: 0,
      maxResults: 50,
      total: 3,
      isLast: true,
      values: [
        { key: 'AAA', name: 'First', projectTypeKey: 'software', simplified: false },
        { key: 'ABC', id: expect.stringMatching(/^\d+$/), style: 'classic' },
        { key: 'WEB2', avatarUrls: { '48x48': expect.any(String) } },
      ],
    })
    sandbox.jira.hideProject('ABC')
    expect(await keysOf()).toEqual(['AAA', 'WEB2'])
  })

  it('pages, and says where the next page is', async () => {
    const { values, isLast, nextPage = '' } = await search('?maxResults=1&query=e')
    expect(values).toMatchObject([{ key: 'WEB2' }])
    expect(isLast).toBe(true)
    sandbox.jira.addProject({ key: 'EEE', name: 'Extra' })
    const first = await search('?maxResults=1&query=e')
    expect(first).toMatchObject({ values: [{ key: 'EEE' }], isLast: false, total: 2 })
    expect(nextPage).toBe('')
    const next = await fetch(first.nextPage ?? '', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await next.json()).toMatchObject({ startAt: 1, values: [{ key: 'WEB2' }], isLast: true })
  })

  it.each([
    ['?query=shop', ['ABC']],
    ['?query=web', ['WEB2']],
    ['?keys=ABC&keys=WEB2', ['ABC', 'WEB2']],
    ['?keys=web2,SEC', ['WEB2']],
    ['?query=nothing', []],
    ['?startAt=5', []],
  ])('finds %s', async (query, keys) => {
    expect(await keysOf(query)).toEqual(keys)
  })

  it('answers at most a hundred', async () => {
    expect((await search('?maxResults=1000')).maxResults).toBe(100)
  })

  it.each(['?startAt=-1', '?maxResults=0', '?maxResults=all'])('refuses %s', async (query) => {
    expect((await callJira(sandbox, token, `/project/search${query}`)).status).toBe(400)
  })
})
