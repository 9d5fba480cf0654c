import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import {
  callJira,
  connect,
  exchange,
  getCode,
  postRefresh,
  redirectUri,
} from './testing/connect.ts'

const sandbox = await openSandbox()

beforeEach(() => {
  sandbox.jira.app.redirectUris = [redirectUri]
})

describe('a reset', () => {
  it('refuses every token and code of before, and grants nothing', async () => {
    const { access_token, refresh_token } = await connect(sandbox)
    const code = await getCode(sandbox)
    sandbox.reset()
    expect((await callJira(sandbox, access_token, '/issue/ABC-1')).status).toBe(401)
    expect((await postRefresh(sandbox, refresh_token)).status).toBe(403)
    expect((await exchange(sandbox, code)).error).toBe('invalid_grant')
    expect(sandbox.jira.app.redirectUris).toEqual([redirectUri])
  })

  it('puts the issues back as they were, with their ids', async () => {
    const { access_token: before } = await connect(sandbox)
    const seeded: unknown = await (await callJira(sandbox, before, '/issue/ABC-1?fields=id')).json()
    sandbox.jira.deleteIssue('ABC-1')
    sandbox.jira.moveIssue('ABC-2', 'WEB2')
    sandbox.jira.hideProject('WEB2')
    sandbox.jira.expiredAnswers = 404
    sandbox.jira.offerSecondSite()
    sandbox.reset()
    const { access_token: token } = await connect(sandbox)
    expect(await (await callJira(sandbox, token, '/issue/ABC-1?fields=id')).json()).toEqual(seeded)
    expect(await (await callJira(sandbox, token, '/issue/ABC-2')).json()).toHaveProperty(
      'key',
      'ABC-2',
    )
    expect((await callJira(sandbox, token, '/issue/WEB2-1')).status).toBe(200)
    expect(sandbox.jira.expiredAnswers).toBe(401)
    expect(sandbox.jira.sites['acme-labs'].offered).toBe(false)
  })

  it('leaves the credentials and the cloud ids as they are', () => {
    const { app, sites } = sandbox.jira
    const before = [app.clientId, app.clientSecret, sites.acme.cloudId]
    sandbox.reset()
    expect([app.clientId, app.clientSecret, sites.acme.cloudId]).toEqual(before)
  })
})

describe('an issue that is not there', () => {
  it('is not moved, deleted or changed', () => {
    for (const change of [
      () => sandbox.jira.moveIssue('ABC-999', 'WEB2'),
      () => sandbox.jira.moveIssue('ABC-1', 'NONE'),
      () => sandbox.jira.addIssue({ project: 'NONE', summary: 'Nowhere' }),
      () => sandbox.jira.deleteIssue('ABC-999'),
      () => sandbox.jira.setStatus('ABC-999', 'Done'),
      () => sandbox.jira.hideProject('NONE'),
    ]) {
      expect(change).toThrow(RangeError)
    }
  })
})
