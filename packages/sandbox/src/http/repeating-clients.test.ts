import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../gitlab/testing/connect.ts'
import { openShop } from '../gitlab/testing/open-shop.ts'
import type { Sandbox } from '../sandbox.ts'
import { startSandbox } from '../start-sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

/** Why the service makes its calls itself, and this client stays in tests. */
describe('@gitbeaker/rest', () => {
  it.each([429, 502])(
    'starts one pipeline ten times where each start is answered %s',
    async (status) => {
      const { project } = openShop(sandbox, `acme/shop-${status}`)
      const { access_token: oauthToken } = await connect(sandbox)
      const path = `POST /projects/${project.id}/pipeline`
      const fault = { kind: 'answer', status, body: '{}' } as const
      sandbox.faults.add({ provider: 'gitlab', request: path, times: 100, fault })
      const gitlab = new Gitlab({ host: sandbox.addresses.gitlab, oauthToken })
      await expect(gitlab.Pipelines.create(project.id, 'main')).rejects.toThrow('retries')
      const starts = sandbox.log
        .list()
        .filter(
          ({ method, path: at }) =>
            method === 'POST' && at.endsWith(`/projects/${project.id}/pipeline`),
        )
      expect(starts).toHaveLength(10)
    },
  )
})
