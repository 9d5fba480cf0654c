import { readFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { askLinear } from './ask.ts'
import * as queries from './queries.ts'
import { openLinear } from './testing/open-linear.ts'

/** Names Linear's own schema, which is too large to be kept here: CONTRIBUTING.md says where it is. */
const path = process.env['LINEAR_SCHEMA']
const sent = z.object({ query: z.string() })

/** The answers are those of the pretended Linear in both cases. A schema validates what is asked for, and gives the answers its types. */
describe.each([
  ['the pretended part of Linear’s schema', () => undefined, false],
  ['Linear’s own schema', () => readFileSync(path ?? '', 'utf8'), path === undefined],
])('by %s', (_name, readSchema, isSkipped) => {
  describe.skipIf(isSkipped)('the calls of Linear', () => {
    let app: Awaited<ReturnType<typeof openLinear>>
    beforeAll(async () => {
      app = await openLinear()
      const schema = readSchema()
      if (schema !== undefined) app.linear.useSchema(schema)
    }, 120_000)
    afterAll(() => app.close())

    it('are good, each of them', async () => {
      const { grant, account } = await app.connect()
      if (grant === null || account === undefined) throw new Error('Nothing was granted')
      const api = app.open(grant, account)
      app.linear.moveIssue('ABC-1', 'WEB2')
      const outcomes = await api.findIssues(['ABC-1', 'ABC-2', 'ABC-99', 'UTF-8'])
      expect(outcomes.map(({ outcome }) => outcome)).toEqual([
        'moved',
        'found',
        'absent',
        'noProject',
      ])
      const { projects } = await api.listProjects({ query: 'Shop', page: undefined, limit: 2 })
      expect(projects).toEqual([{ key: 'ABC', name: 'Shop' }])

      const asked = app.sent
        .filter((body) => body.startsWith('{'))
        .map((body) => sent.parse(JSON.parse(body)).query)
      expect(new Set(asked)).toEqual(new Set(Object.values(queries)))
    })

    it('control: a field that does not exist is refused', async () => {
      const { grant } = await app.connect()
      if (grant === null) throw new Error('Nothing was granted')
      const ask = (query: string) =>
        askLinear(
          { provider: 'linear', egress: app.context.egress, now: app.context.now },
          { apiUrl: app.sandbox.addresses.linearApi, accessToken: grant.accessToken },
          { query },
        )
      await expect(ask('{ issues(first: 1) { nodes { id } } }')).resolves.toBeDefined()
      await expect(ask('{ issues(first: 1) { nodes { kind } } }')).rejects.toMatchObject({
        code: 'GRAPHQL_VALIDATION_FAILED',
      })
    })
  })
})
