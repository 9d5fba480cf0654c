import { request } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import type { GithubInstallation } from './state.ts'
import { createGithubClient } from './testing/github-client.ts'

const sandbox = await openSandbox()
const client = createGithubClient(sandbox)
let installation: GithubInstallation
let token: string

beforeEach(async () => {
  installation = sandbox.github.install({ account: 'acme' })
  token = await client.installationToken(installation)
})

const read = (headers: Readonly<Record<string, string>> = {}) =>
  client.api('GET /installation/repositories', { token, headers })

describe('every answer of the API', () => {
  it('says what is left of the hour, which request it was, and in which version', async () => {
    const { headers } = await read()
    const { headers: later } = await read()
    expect(headers.get('x-ratelimit-limit')).toBe('5000')
    expect(headers.get('x-ratelimit-resource')).toBe('core')
    expect(headers.get('x-github-media-type')).toBe('github.v3; format=json')
    expect(headers.get('x-github-api-version-selected')).toBe('2022-11-28')
    expect([headers, later].map((one) => one.get('x-ratelimit-used'))).toEqual(['1', '2'])
    expect(later.get('x-github-request-id')).not.toBe(headers.get('x-github-request-id'))
  })

  it('says so as well when it is a refusal', async () => {
    for (const path of ['/nothing', '/repos/acme/nothing']) {
      const { status, headers, body } = await client.api(`GET ${path}`, { token })
      expect(status).toBe(404)
      expect(body).toMatchObject({ message: 'Not Found', status: '404' })
      expect(headers.get('x-ratelimit-limit')).toBe('5000')
    }
  })

  it('is 401 for a token that is unknown', async () => {
    for (const unknown of ['ghs_unknown', 'ghu_unknown', 'unknown']) {
      const { status, body } = await client.api('GET /user', { token: unknown })
      expect(status).toBe(401)
      expect(body).toMatchObject({ message: 'Bad credentials' })
    }
  })

  it('is 403 without a User-Agent', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      request(
        `${sandbox.addresses.githubApi}/installation/repositories`,
        { headers },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })

  it('is 400 for a version that does not exist', async () => {
    expect((await read({ 'x-github-api-version': '2021-01-01' })).status).toBe(400)
    expect((await read({ 'x-github-api-version': '2026-03-10' })).status).toBe(200)
  })
})

describe('the answer to a request that ends its own token', () => {
  it('counts for the installation that it was of', async () => {
    await read()
    const { headers } = await client.api('DELETE /installation/token', { token })
    expect(headers.get('x-ratelimit-used')).toBe('2')
  })
})

describe('an ETag', () => {
  it('answers 304 while nothing has changed, and costs nothing', async () => {
    const { headers } = await read()
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"\w+"$/)
    const again = await read({ 'if-none-match': `"other", ${etag}` })
    expect([again.status, again.body]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('x-ratelimit-used')).toBe('1')
  })

  it('answers in full when something has changed', async () => {
    const etag = (await read()).headers.get('etag') ?? ''
    const owner = installation.account
    sandbox.github.activity.addRepository({ owner, name: 'shop' })
    expect((await read({ 'if-none-match': etag })).status).toBe(200)
  })
})

describe('the rate limit', () => {
  it('refuses the installation that has used it up, until the hour is over', async () => {
    sandbox.github.rateLimits.perHour = 2
    expect([(await read()).status, (await read()).status]).toEqual([200, 200])
    const refused = await read()
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      message: expect.stringContaining(`API rate limit exceeded for installation ID`),
    })
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    const resetMs = Number(refused.headers.get('x-ratelimit-reset')) * 1000
    sandbox.clock.advance(resetMs - sandbox.clock.now().getTime())
    expect(await client.api('GET /app', { token: client.jwt() })).toMatchObject({ status: 200 })
    token = await client.installationToken(installation)
    expect((await read()).status).toBe(200)
  })

  it('is counted for each installation', async () => {
    sandbox.github.rateLimits.perHour = 1
    await read()
    expect((await read()).status).toBe(403)
    sandbox.github.rateLimits.perHour = 2
    const other = await client.installationToken(sandbox.github.install({ account: 'ada' }))
    sandbox.github.rateLimits.perHour = 1
    const answer = await client.api('GET /installation/repositories', { token: other })
    expect(answer.status).toBe(200)
  })
})
