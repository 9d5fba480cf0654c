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

  it('404 for one that is not there', async () => {
    const { ask } = await openRepository()
    expect((await ask('GET /environments/none')).status).toBe(404)
  })

  it('403 without actions', async () => {
    const { ask } = await openRepository()
    const reading = { permissions: { deployments: 'write' } } as const
    expect((await ask('GET /environments', reading)).status).toBe(403)
    expect((await ask('GET /environments/staging', reading)).status).toBe(403)
  })
})
