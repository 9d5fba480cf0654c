import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { openRepository } from './testing/open-repository.ts'

type Repository = components['schemas']['full-repository']

describe('a repository', () => {
  it('is found by name, whatever the case of its letters, and by id', async () => {
    const { ask, askAt, repository, api, web } = await openRepository()
    const { status, body } = await ask<Repository>('GET ')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: repository.id,
      full_name: 'acme/shop',
      private: true,
      visibility: 'private',
      default_branch: 'main',
      owner: { login: 'acme', type: 'Organization' },
      url: `${api}/repos/acme/shop`,
      html_url: `${web}/acme/shop`,
    })
    expect((await askAt('GET /repos/Acme/SHOP')).body).toEqual(body)
    expect((await askAt(`GET /repositories/${repository.id}`)).body).toEqual(body)
  })

  it('404 for one that is not there', async () => {
    const { askAt } = await openRepository()
    expect((await askAt('GET /repos/acme/none')).status).toBe(404)
    expect((await askAt('GET /repositories/1')).status).toBe(404)
    expect((await askAt('GET /repositories/1/deployments')).status).toBe(404)
  })

  it('401 without a token', async () => {
    const { api } = await openRepository()
    expect((await fetch(`${api}/repos/acme/shop`)).status).toBe(401)
  })
})

describe('a repository that was renamed', () => {
  it('leads from its old name to its id, with all that was asked', async () => {
    const { activity, repository, ada, ask, askAt, api, first } = await openRepository()
    const { id } = activity.deploy(repository, { ref: 'main', creator: ada })
    activity.renameRepository(repository, 'store', ada)
    const target = `/repositories/${repository.id}/deployments?sha=${first}&per_page=1`
    const { status, headers, body } = await ask(`GET /deployments?sha=${first}&per_page=1`)
    expect(status).toBe(301)
    expect(headers.get('location')).toBe(`${api}${target}`)
    expect(body).toMatchObject({ message: 'Moved Permanently', url: `${api}${target}` })
    expect((await askAt(`GET ${target}`)).body).toMatchObject([{ id }])
    expect((await ask('GET ')).headers.get('location')).toBe(`${api}/repositories/${repository.id}`)
    expect((await askAt('GET /repos/acme/store')).body).toMatchObject({ name: 'store' })
  })

  it('leads writes on with 307, so that they stay what they are', async () => {
    const { activity, repository, ada, ask, askAt } = await openRepository()
    activity.renameRepository(repository, 'store', ada)
    activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml', inputs: [] })
    const question = { body: { ref: 'main' } }
    const path = '/actions/workflows/e2e.yml/dispatches'
    expect((await ask(`POST ${path}`, question)).status).toBe(307)
    const moved = `POST /repositories/${repository.id}${path}`
    expect((await askAt(moved, question)).status).toBe(204)
  })

  it('leaves the old name to a repository that takes it', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    activity.renameRepository(repository, 'store', ada)
    const other = activity.addRepository({ owner: repository.owner, name: 'shop' })
    expect((await ask('GET ')).body).toMatchObject({ id: other.id })
  })

  it('says nothing of itself to who may not see it', async () => {
    const { activity, repository, ada, sandbox, api } = await openRepository()
    activity.renameRepository(repository, 'store', ada)
    const { app, tokens } = sandbox.github
    const { accessToken: token } = tokens.ofUsers.issue({ appId: app.id, login: 'grace' })
    const response = await fetch(`${api}/repos/acme/shop`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(404)
  })

  it('tells the app its new name', async () => {
    const { activity, repository, ada, sent } = await openRepository()
    activity.renameRepository(repository, 'store', ada)
    expect(await sent('repository')).toMatchObject([
      { action: 'renamed', changes: { repository: { name: { from: 'shop' } } } },
    ])
  })
})

describe('reset', () => {
  it('forgets repositories and their old names', async () => {
    const { sandbox, activity, repository, ada } = await openRepository()
    activity.renameRepository(repository, 'store', ada)
    sandbox.reset()
    expect(sandbox.github.state.repositories.size).toBe(0)
    expect(sandbox.github.state.formerNames.size).toBe(0)
  })
})
