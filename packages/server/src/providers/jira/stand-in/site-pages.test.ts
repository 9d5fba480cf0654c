import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callApi, callJira, connect, redirectUri } from './testing/connect.ts'

const sandbox = await openSandbox()

beforeEach(() => {
  sandbox.jira.app.redirectUris = [redirectUri]
})

function browse(key: string, site = 'acme'): Promise<Response> {
  return fetch(`${sandbox.origin}/atlassian/sites/${site}/browse/${key}`, { redirect: 'manual' })
}

describe("an issue's page", () => {
  it('is below the address of its site, and shows the issue', async () => {
    const { access_token: token } = await connect(sandbox)
    const sites = await callApi(sandbox, token, '/oauth/token/accessible-resources')
    const [site] = (await sites.json()) as { url: string }[]
    const page = await fetch(`${site?.url}/browse/ABC-1`)
    expect(page.status).toBe(200)
    const text = await page.text()
    for (const shown of ['ABC-1', 'The basket forgets its currency', 'In Progress', 'Ada']) {
      expect(text).toContain(shown)
    }
  })

  it('leads from a former key to the one of today', async () => {
    sandbox.jira.moveIssue('ABC-1', 'WEB2')
    const answer = await browse('ABC-1')
    expect(answer.headers.get('location')).toBe(
      `${sandbox.origin}/atlassian/sites/acme/browse/WEB2-2`,
    )
  })

  it('shows the links of the issue, and no script as one', async () => {
    const scope = 'read:jira-work write:jira-work'
    const { access_token: token } = await connect(sandbox, scope)
    const link = (url: string) =>
      callJira(sandbox, token, '/issue/ABC-1/remotelink', { object: { title: '<b>Shop</b>', url } })
    await link('https://shop.example/')
    await link('javascript:alert(1)')
    const text = await (await browse('ABC-1')).text()
    expect(text).toContain('<a href="https://shop.example/">&lt;b&gt;Shop&lt;/b&gt;</a>')
    expect(text).not.toContain('javascript:')
  })

  it.each([
    ['ABC-999', 'acme'],
    ['SEC-1', 'acme'],
    ['ABC-1', 'acme-labs'],
    ['ABC-1', 'other'],
  ])('of %s on %s is not there', async (key, site) => {
    expect((await browse(key, site)).status).toBe(404)
  })

  it('has the pictures that the API speaks of', async () => {
    const picture = await fetch(`${sandbox.origin}/atlassian/sites/avatar.svg`)
    expect(picture.headers.get('content-type')).toBe('image/svg+xml')
    expect((await fetch(`${sandbox.origin}/atlassian/sites`)).status).toBe(404)
  })
})
