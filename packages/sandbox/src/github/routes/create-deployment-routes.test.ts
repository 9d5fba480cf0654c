import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository } from '../testing/open-repository.ts'

type Deployment = components['schemas']['deployment']

const idsOf = (deployments: readonly Deployment[]) => deployments.map(({ id }) => id)

describe('201', () => {
  it('answers the defaults, and tells the app', async () => {
    const { ask, sent, first, api } = await openRepository()
    const { status, body, headers } = await ask<Deployment>('POST /deployments', {
      body: { ref: 'main' },
    })
    expect(status).toBe(201)
    const url = `${api}/repos/acme/shop/deployments/${body.id}`
    expect(headers.get('location')).toBe(url)
    expect(body).toMatchObject({
      url,
      sha: first,
      ref: 'main',
      task: 'deploy',
      payload: {},
      environment: 'production',
      original_environment: 'production',
      description: null,
      creator: { login: 'signalbox-sandbox[bot]', type: 'Bot' },
      transient_environment: false,
      production_environment: true,
      statuses_url: `${url}/statuses`,
      repository_url: `${api}/repos/acme/shop`,
    })
    expect(await sent('deployment')).toMatchObject([
      { action: 'created', deployment: body, workflow_run: null, installation: {} },
    ])
  })

  it('keeps what it was given', async () => {
    const { ask, first } = await openRepository()
    const given = {
      ref: first,
      task: 'deploy:migrations',
      environment: 'eu/live',
      payload: { region: 'eu' },
      description: 'Friday',
      transient_environment: true,
      production_environment: true,
    }
    const { body } = await ask<Deployment>('POST /deployments', { body: given })
    expect(body).toMatchObject(given)
    expect((await ask(`GET /deployments/${body.id}`)).body).toEqual(body)
    expect((await ask('GET /environments/eu%2Flive')).status).toBe(200)
  })
})

describe('202', () => {
  it('merges the default branch into a branch that is behind, and deploys nothing', async () => {
    const { activity, repository, ada, ask, sent, first } = await openRepository()
    activity.push(repository, { ref: 'topic', pusher: ada, to: first })
    const main = activity.push(repository, {
      ref: 'main',
      pusher: ada,
      commits: [{ message: 'm' }],
    })
    const { status, body } = await ask('POST /deployments', { body: { ref: 'topic' } })
    expect(status).toBe(202)
    expect(body).toEqual({ message: 'Auto-merged main into topic on deployment.' })
    const merge = repository.commits.get(repository.branches.get('topic') ?? '')
    expect(merge?.parents).toEqual([first, main.sha])
    expect(await sent('deployment')).toEqual([])
    expect((await ask('POST /deployments', { body: { ref: 'topic' } })).status).toBe(201)
  })

  it('is not answered where auto_merge is off', async () => {
    const { activity, repository, ada, ask, first } = await openRepository()
    activity.push(repository, { ref: 'topic', pusher: ada, to: first })
    activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message: 'm' }] })
    const body = { ref: 'topic', auto_merge: false }
    expect((await ask('POST /deployments', { body })).status).toBe(201)
  })
})

describe('409', () => {
  it('is answered when the default branch cannot be merged', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    const commits = [{ message: 'edit', modified: ['README.md'] }]
    activity.push(repository, { ref: 'topic', pusher: ada, commits })
    activity.push(repository, { ref: 'main', pusher: ada, commits })
    const { status, body } = await ask('POST /deployments', { body: { ref: 'topic' } })
    expect(status).toBe(409)
    expect(body).toMatchObject({ message: 'Conflict merging main into topic.' })
  })

  it('is answered when a required context has not passed', async () => {
    const { ask, sent } = await openRepository()
    const given = { ref: 'main', required_contexts: ['ci/unit'] }
    const { status, body } = await ask('POST /deployments', { body: given })
    expect(status).toBe(409)
    expect(body).toMatchObject({ message: 'Conflict: Commit status checks failed for main.' })
    expect(await sent('deployment')).toEqual([])
  })
})

describe('422', () => {
  it.each([
    ['no ref', {}, '"ref" wasn\'t supplied.'],
    ['a ref that is not there', { ref: 'none' }, 'No ref found for: none'],
    ['a ref of another kind', { ref: 1 }, "For 'properties/ref', 1 is not a string."],
    [
      'a payload of another kind',
      { ref: 'main', payload: [] },
      "For 'properties/payload', [] is not a string or an object.",
    ],
    [
      'contexts of another kind',
      { ref: 'main', required_contexts: 'ci' },
      'is not an array of strings.',
    ],
    ['a flag of another kind', { ref: 'main', production_environment: 'yes' }, 'is not a boolean.'],
  ])('for %s', async (_, body, message) => {
    const { ask } = await openRepository()
    const answer = await ask('POST /deployments', { body })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ message: expect.stringContaining(message) })
  })

  it('for the deletion of an active deployment among others', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    const active = activity.deploy(repository, { ref: 'main', creator: ada })
    const other = activity.deploy(repository, { ref: 'main', creator: ada })
    activity.setDeploymentStatus(repository, active, { state: 'success', creator: ada })
    expect((await ask(`DELETE /deployments/${active.id}`)).status).toBe(422)
    expect((await ask(`DELETE /deployments/${other.id}`)).status).toBe(204)
    expect((await ask(`DELETE /deployments/${active.id}`)).status).toBe(204)
    expect((await ask(`GET /deployments/${active.id}`)).status).toBe(404)
  })
})

describe('400', () => {
  it.each([
    ['what is not JSON', 'Problems parsing JSON', '{"ref":'],
    ['what is no object', 'Body should be a JSON object', '["main"]'],
  ])('for %s', async (_, message, text) => {
    const { tokenFor, api } = await openRepository()
    const response = await fetch(`${api}/repos/acme/shop/deployments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenFor()}` },
      body: text,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message })
  })
})

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
    expect((await page('?page=9')).body).toEqual([])
  })
})

describe('404', () => {
  it.each(['GET /deployments/1', 'DELETE /deployments/1', 'GET /deployments/none'])(
    'for %s',
    async (request) => {
      const { ask } = await openRepository()
      expect((await ask(request)).status).toBe(404)
    },
  )
})

describe('403', () => {
  it.each(['POST /deployments', 'DELETE /deployments/1'])(
    'for %s when reading',
    async (request) => {
      const { ask } = await openRepository()
      const permissions = { deployments: 'read' } as const
      expect((await ask(request, { permissions, body: { ref: 'main' } })).status).toBe(403)
    },
  )

  it.each(['GET /deployments', 'GET /deployments/1', 'GET /deployments/1/statuses'])(
    'for %s without deployments',
    async (request) => {
      const { ask } = await openRepository()
      expect((await ask(request, { permissions: { contents: 'read' } })).status).toBe(403)
    },
  )
})
