import type { components } from '@octokit/openapi-types'
import { describe, expect, it } from 'vitest'
import { linkTo, openRepository } from '../testing/open-repository.ts'

type Commit = components['schemas']['commit']
type Comparison = components['schemas']['commit-comparison']

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ message: `commit ${index + 1}` }))
const messagesOf = (commits: readonly Commit[]) => commits.map(({ commit }) => commit.message)

describe('commits', () => {
  it('come with their files one by one', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    const commits = [{ message: 'ABC-1 fix', modified: ['README.md'], added: ['src/a.ts'] }]
    const { sha } = activity.push(repository, { ref: 'feature/x', pusher: ada, commits })
    for (const ref of ['feature/x', sha, sha.slice(0, 8)]) {
      const { body } = await ask<Commit>(`GET /commits/${ref}`)
      expect(body).toMatchObject({
        sha,
        commit: { message: 'ABC-1 fix', author: { email: 'ada@example.com' } },
        author: { login: 'ada' },
        stats: { total: 3, additions: 2, deletions: 1 },
        files: [
          { filename: 'README.md', status: 'modified' },
          { filename: 'src/a.ts', status: 'added' },
        ],
      })
    }
  })

  it('422 for one that is not there', async () => {
    const { ask } = await openRepository()
    const { status, body } = await ask('GET /commits/none')
    expect(status).toBe(422)
    expect(body).toMatchObject({ message: 'No commit found for SHA: none' })
  })
})

describe('compare', () => {
  it('answers what a branch has more than another', async () => {
    const { activity, repository, ada, ask, first } = await openRepository()
    const commits = [{ message: 'ABC-1 one', added: ['a.ts'] }, { message: 'ABC-2 two' }]
    activity.push(repository, { ref: 'feature/login', pusher: ada, commits })
    const { status, body } = await ask<Comparison>('GET /compare/main...feature/login')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ahead',
      ahead_by: 2,
      behind_by: 0,
      total_commits: 2,
      base_commit: { sha: first },
      merge_base_commit: { sha: first },
      files: [{ filename: 'a.ts', status: 'added' }],
    })
    expect(messagesOf(body.commits)).toEqual(['ABC-1 one', 'ABC-2 two'])
  })

  it('takes both sides encoded', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    activity.push(repository, { ref: 'feature/login', pusher: ada, commits: numbered(1) })
    const { body } = await ask<Comparison>('GET /compare/feature%2Flogin...main')
    expect(body).toMatchObject({ status: 'behind', behind_by: 1, commits: [] })
  })

  it('answers the newest 250 commits without pages, and all of them with', async () => {
    const { activity, repository, ada, ask, first } = await openRepository()
    activity.push(repository, { ref: 'main', pusher: ada, commits: numbered(251) })
    const whole = await ask<Comparison>(`GET /compare/${first}...main`)
    expect(whole.body.total_commits).toBe(251)
    expect(messagesOf(whole.body.commits)).toHaveLength(250)
    expect(messagesOf(whole.body.commits).at(-1)).toBe('commit 251')
    expect(whole.headers.get('link')).toBeNull()
    const page = await ask<Comparison>(`GET /compare/${first}...main?per_page=100&page=3`)
    expect(messagesOf(page.body.commits)).toHaveLength(51)
    expect(page.body.total_commits).toBe(251)
    const started = await ask<Comparison>(`GET /compare/${first}...main?per_page=100`)
    expect(messagesOf(started.body.commits)[0]).toBe('commit 1')
    expect(linkTo(started.headers, 'next')).toContain(
      `/compare/${first}...main?per_page=100&page=2`,
    )
  })

  it('has 300 files at most, on the first page only', async () => {
    const { activity, repository, ada, ask, first } = await openRepository()
    const added = Array.from({ length: 301 }, (_, index) => `${index}.ts`)
    const commits = [{ message: 'many', added }, { message: 'more' }]
    activity.push(repository, { ref: 'main', pusher: ada, commits })
    const page = (number: number) =>
      ask<Comparison>(`GET /compare/${first}...main?per_page=1&page=${number}`)
    expect((await page(1)).body.files).toHaveLength(300)
    expect((await page(2)).body.files).toBeUndefined()
  })

  it.each(['none...main', 'main...none', 'main', 'main..main'])('404 for %s', async (basehead) => {
    const { ask } = await openRepository()
    expect((await ask(`GET /compare/${basehead}`)).status).toBe(404)
  })

  it('404 for histories with nothing in common', async () => {
    const { activity, repository, ada, ask } = await openRepository()
    const orphan = activity.commit(repository, { message: 'orphan', author: ada, parents: [] })
    const { status, body } = await ask(`GET /compare/main...${orphan.sha}`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ message: `No common ancestor between main and ${orphan.sha}.` })
  })
})

describe('403', () => {
  it.each(['/commits/main', '/compare/main...main'])(
    'for %s without contents: no access to source',
    async (path) => {
      const { ask } = await openRepository()
      const permissions = { deployments: 'write', actions: 'write' } as const
      const { status, body } = await ask(`GET ${path}`, { permissions })
      expect(status).toBe(403)
      expect(body).toMatchObject({ message: 'Resource not accessible by integration' })
    },
  )
})
