import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository } from '../testing/open-repository.ts'

type Deployment = components['schemas']['deployment']

const idsOf = (deployments: readonly Deployment[]) => deployments.map(({ id }) => id)

describe('the list', () => {
  it('is newest first and filtered by sha, ref, task and environment', async () => {
    const { activity, repository, ada, ask, first } = await openRepository()
    const deploy = (more: object) =>
      activity.deploy(repository, { ref: 'main', creator: ada, ...more })
    const one = deploy({ environment: 'staging' })
    const two = deploy({ task: 'migrate' })
    const { sha } = activity.push(repository, {
      ref: 'v2',
      pusher: ada,
      commits: [{ message: 'v2' }],
    })
    const three = deploy({ ref: 'v2' })
    const idsAt = async (query: string) =>
      idsOf((await ask<Deployment[]>(`GET /deployments${query}`)).body)
    expect(await idsAt('')).toEqual([three.id, two.id, one.id])
    expect(await idsAt(`?sha=${first}`)).toEqual([two.id, one.id])
    expect(await idsAt(`?sha=${sha}`)).toEqual([three.id])
    expect(await idsAt('?ref=v2')).toEqual([three.id])
    expect(await idsAt('?task=migrate')).toEqual([two.id])
    expect(await idsAt('?environment=staging')).toEqual([one.id])
    expect(await idsAt('?environment=staging&task=migrate')).toEqual([])
  })

  it('comes in pages of 30, or of 100 at most', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    for (let made = 0; made < 101; made += 1)
      activity.deploy(repository, { ref: 'main', creator: ada })
    const page = async (query: string) => ask<Deployment[]>(`GET /deployments${query}`)
    expect((await page('')).body).toHaveLength(30)
    expect((await page('?per_page=1000')).body).toHaveLength(100)
    expect((await page('?per_page=0')).body).toHaveLength(30)
    const filtered = await page('?environment=production&per_page=50')
    expect(linkTo(filtered.headers, 'next')).toContain('environment=production&per_page=50&page=2')
    expect(linkTo(filtered.headers, 'last')).toContain('page=3')
    const last = await page('?per_page=50&page=3')
    expect(linkTo(last.headers, 'next')).toBeUndefined()
    expect(linkTo(last.headers, 'prev')).toContain('page=2')
    expect(linkTo(last.headers, 'first')).toContain('page=1')
    expect((await page('?page=9')).body).toEqual([])
  })
})

describe('the list of statuses', () => {
  it('is newest first, in pages', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    const deployment = activity.deploy(repository, { ref: 'main', creator: ada })
    activity.setDeploymentStatus(repository, deployment, { state: 'queued', creator: ada })
    activity.setDeploymentStatus(repository, deployment, { state: 'success', creator: ada })
    const path = `/deployments/${deployment.id}/statuses`
    const { body, headers } = await ask(`GET ${path}?per_page=1`)
    expect(body).toMatchObject([{ state: 'success' }])
    expect(linkTo(headers, 'next')).toContain('page=2')
  })

  it('404 for a deployment that is not there', async () => {
    const { ask } = await openRepository()
    expect((await ask('GET /deployments/1/statuses')).status).toBe(404)
  })
})

describe('403', () => {
  it.each(['GET /deployments', 'GET /deployments/1/statuses'])(
    'for %s without deployments',
    async (request) => {
      const { ask } = await openRepository()
      expect((await ask(request, { permissions: { contents: 'read' } })).status).toBe(403)
    },
  )
})
