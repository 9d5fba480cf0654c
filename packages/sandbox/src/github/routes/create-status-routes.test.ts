import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository } from '../testing/open-repository.ts'

type Status = components['schemas']['deployment-status']

async function openDeployment() {
  const opened = await openRepository()
  const { activity, repository, ada, ask } = opened
  const deployment = activity.deploy(repository, {
    ref: 'main',
    creator: ada,
    environment: 'staging',
  })
  const path = `/deployments/${deployment.id}/statuses`
  return {
    ...opened,
    deployment,
    path,
    create: (body: object) => ask<Status>(`POST ${path}`, { body }),
  }
}

describe('201', () => {
  it('answers a status and tells the app', async () => {
    const { create, path, sent, api, deployment } = await openDeployment()
    const { status, body, headers } = await create({
      state: 'success',
      log_url: 'https://ci.test/1',
      environment_url: 'https://staging.test',
      description: 'done',
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(body.url)
    expect(body).toMatchObject({
      url: `${api}/repos/acme/shop${path}/${body.id}`,
      state: 'success',
      creator: { login: 'signalbox-sandbox[bot]' },
      description: 'done',
      environment: 'staging',
      target_url: 'https://ci.test/1',
      log_url: 'https://ci.test/1',
      environment_url: 'https://staging.test',
    })
    expect(await sent('deployment_status')).toMatchObject([
      { action: 'created', deployment_status: body, deployment: { id: deployment.id } },
    ])
  })

  it('still takes target_url', async () => {
    const { create } = await openDeployment()
    const { body } = await create({ state: 'queued', target_url: 'https://ci.test/1' })
    expect(body).toMatchObject({ target_url: 'https://ci.test/1', log_url: 'https://ci.test/1' })
  })

  it('moves the deployment to another environment', async () => {
    const { create, ask, deployment } = await openDeployment()
    await create({ state: 'success', environment: 'eu/live' })
    expect((await ask(`GET /deployments/${deployment.id}`)).body).toMatchObject({
      environment: 'eu/live',
      original_environment: 'staging',
    })
    expect((await ask('GET /environments/eu/live')).status).toBe(200)
  })

  it.each(['error', 'failure', 'in_progress', 'queued', 'pending', 'success'])(
    'takes %s and sends it',
    async (state) => {
      const { create, sent } = await openDeployment()
      expect((await create({ state })).status).toBe(201)
      expect(await sent('deployment_status')).toHaveLength(1)
    },
  )

  it('takes inactive and sends nothing', async () => {
    const { create, sent } = await openDeployment()
    expect((await create({ state: 'inactive' })).status).toBe(201)
    expect(await sent('deployment_status')).toEqual([])
  })

  it('makes earlier successes inactive in the list, unless it is not to', async () => {
    const { activity, repository, ada, ask, create, path } = await openDeployment()
    const statesOf = async () => (await ask<Status[]>(`GET ${path}`)).body.map(({ state }) => state)
    await create({ state: 'success' })
    const next = () =>
      activity.deploy(repository, { ref: 'main', creator: ada, environment: 'staging' }).id
    const success = (autoInactive: boolean) => ({
      body: { state: 'success', auto_inactive: autoInactive },
    })
    await ask(`POST /deployments/${next()}/statuses`, success(false))
    expect(await statesOf()).toEqual(['success'])
    await ask(`POST /deployments/${next()}/statuses`, success(true))
    expect(await statesOf()).toEqual(['inactive', 'success'])
  })
})

describe('the list', () => {
  it('is newest first, in pages, and each is found by its id', async () => {
    const { create, ask, path } = await openDeployment()
    const first = await create({ state: 'queued' })
    const second = await create({ state: 'in_progress' })
    const { body, headers } = await ask<Status[]>(`GET ${path}?per_page=1`)
    expect(body).toEqual([second.body])
    expect(linkTo(headers, 'next')).toContain('page=2')
    expect((await ask(`GET ${path}/${first.body.id}`)).body).toEqual(first.body)
  })
})

describe('422', () => {
  it.each([
    ['no state', {}, '"state" wasn\'t supplied.'],
    ['a state that does not exist', { state: 'done' }, 'Validation Failed'],
    ['a long description', { state: 'success', description: 'x'.repeat(141) }, 'Validation Failed'],
    ['a log that is no page', { state: 'success', log_url: 'ftp://ci.test' }, 'Validation Failed'],
    [
      'an environment that is no page',
      { state: 'success', environment_url: 'staging.test' },
      'Validation Failed',
    ],
    ['a flag of another kind', { state: 'success', auto_inactive: 'no' }, 'is not a boolean.'],
  ])('for %s', async (_, body, message) => {
    const { create, deployment } = await openDeployment()
    const answer = await create(body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ message: expect.stringContaining(message) })
    expect(deployment.statuses).toEqual([])
  })

  it('is not answered for a description of 140 characters', async () => {
    const { create } = await openDeployment()
    expect((await create({ state: 'success', description: 'x'.repeat(140) })).status).toBe(201)
  })
})

describe('404', () => {
  it('for a deployment or a status that is not there', async () => {
    const { ask, path } = await openDeployment()
    expect((await ask('GET /deployments/1/statuses')).status).toBe(404)
    expect((await ask('POST /deployments/1/statuses', { body: { state: 'success' } })).status).toBe(
      404,
    )
    expect((await ask(`GET ${path}/1`)).status).toBe(404)
  })
})

describe('403', () => {
  it('for who may only read', async () => {
    const { ask, path } = await openDeployment()
    const question = { permissions: { deployments: 'read' }, body: { state: 'success' } } as const
    expect((await ask(`POST ${path}`, question)).status).toBe(403)
  })
})
