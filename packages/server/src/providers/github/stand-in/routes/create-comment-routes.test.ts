import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository, type Question } from '../testing/open-repository.ts'

type Comment = components['schemas']['issue-comment']

const permissions = { pull_requests: 'write' } as const

async function openPullRequest() {
  const { ask, repository } = await openRepository()
  repository.pullRequests.add(7)
  const may = (request: string, question: Question = {}) =>
    ask<Comment>(request, { permissions, ...question })
  return {
    ask: may,
    list: (query = '') =>
      ask<Comment[]>(`GET /issues/7/comments${query}`, { permissions: { pull_requests: 'read' } }),
    create: (body: unknown) => may('POST /issues/7/comments', { body: { body } }),
  }
}

describe('comments on a pull request', () => {
  it('are made, listed oldest first and changed', async () => {
    const { ask, create, list } = await openPullRequest()
    const first = await create('one')
    const second = await create('two')
    expect(first).toMatchObject({
      status: 201,
      body: { body: 'one', user: { login: 'signalbox-sandbox[bot]', type: 'Bot' } },
    })
    expect(first.headers.get('location')).toBe(first.body.url)
    expect((await list()).body).toEqual([first.body, second.body])
    const changed = await ask(`PATCH /issues/comments/${first.body.id}`, { body: { body: 'new' } })
    expect(changed).toMatchObject({ status: 200, body: { id: first.body.id, body: 'new' } })
    const page = await list('?per_page=1')
    expect(page.body).toMatchObject([{ body: 'new' }])
    expect(linkTo(page.headers, 'next')).toContain('page=2')
  })

  it.each([
    ['nothing', undefined],
    ['blanks', ' '],
    ['a number', 1],
    ['65,537 characters', 'x'.repeat(65_537)],
  ])('422 for %s', async (_, body) => {
    const { create, list } = await openPullRequest()
    expect((await create(body)).status).toBe(422)
    expect((await list()).body).toEqual([])
  })

  it('404 for a pull request or a comment that is not there', async () => {
    const { ask } = await openPullRequest()
    const body = { body: 'x' }
    expect((await ask('POST /issues/8/comments', { body })).status).toBe(404)
    expect((await ask('PATCH /issues/comments/1', { body })).status).toBe(404)
  })

  it('403 for who may only read, as the token of a fork', async () => {
    const { ask } = await openPullRequest()
    const question = { permissions: { pull_requests: 'read' }, body: { body: 'x' } } as const
    expect((await ask('POST /issues/7/comments', question)).status).toBe(403)
  })
})
