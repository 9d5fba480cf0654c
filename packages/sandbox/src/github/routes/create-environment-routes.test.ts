import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository } from '../testing/open-repository.ts'

type Environment = components['schemas']['environment']
interface List {
  readonly total_count: number
  readonly environments: readonly Environment[]
}

describe('environments', () => {
  it('are listed in pages with their number', async () => {
    const { activity, repository, ask } = await openRepository()
    for (const name of ['staging', 'production', 'eu/live'])
      activity.addEnvironment(repository, name)
    const { body, headers } = await ask<List>('GET /environments?per_page=2')
    expect(body.total_count).toBe(3)
    expect(body.environments.map(({ name }) => name)).toEqual(['staging', 'production'])
    expect(linkTo(headers, 'next')).toContain('page=2')
  })

  it.each(['eu/live', 'eu%2Flive', 'EU%2Flive'])('are found by name: %s', async (name) => {
    const { activity, repository, ask, api } = await openRepository()
    activity.addEnvironment(repository, 'eu/live')
    const { body } = await ask<Environment>(`GET /environments/${name}`)
    expect(body).toMatchObject({
      name: 'eu/live',
      url: `${api}/repos/acme/shop/environments/eu%2Flive`,
      protection_rules: [],
      deployment_branch_policy: null,
    })
  })

  it('are put once, and deleted', async () => {
    const { ask } = await openRepository()
    const put = await ask<Environment>('PUT /environments/eu%2Flive')
    expect(put.status).toBe(200)
    expect((await ask<Environment>('PUT /environments/eu%2Flive')).body.id).toBe(put.body.id)
    expect((await ask('DELETE /environments/eu%2Flive')).status).toBe(204)
    expect((await ask<List>('GET /environments')).body).toEqual({
      total_count: 0,
      environments: [],
    })
  })

  it('404 for one that is not there', async () => {
    const { ask } = await openRepository()
    expect((await ask('GET /environments/none')).status).toBe(404)
    expect((await ask('DELETE /environments/none')).status).toBe(404)
  })

  it('422 for a name that is too long, or empty', async () => {
    const { ask } = await openRepository()
    expect((await ask(`PUT /environments/${'x'.repeat(256)}`)).status).toBe(422)
    expect((await ask('PUT /environments/%20')).status).toBe(422)
    expect((await ask(`PUT /environments/${'x'.repeat(255)}`)).status).toBe(200)
  })

  it('422 for branch policies that are the same', async () => {
    const { ask } = await openRepository()
    const policy = { protected_branches: true, custom_branch_policies: true }
    const body = { deployment_branch_policy: policy }
    expect((await ask('PUT /environments/staging', { body })).status).toBe(422)
  })

  it('403 without actions to read, and without administration to write', async () => {
    const { ask } = await openRepository()
    const reading = { permissions: { deployments: 'write' } } as const
    expect((await ask('GET /environments', reading)).status).toBe(403)
    expect((await ask('GET /environments/staging', reading)).status).toBe(403)
    const writing = { permissions: { actions: 'write' } } as const
    expect((await ask('PUT /environments/staging', writing)).status).toBe(403)
    expect((await ask('DELETE /environments/staging', writing)).status).toBe(403)
  })
})
