import { describe, expect, it } from 'vitest'
import { openGithub } from './testing/open-github.ts'

describe('compare', () => {
  it('gives the commits between the two, oldest first', async () => {
    const { api, repositoryId, push } = await openGithub()
    const [base = '', , head = ''] = push('one', 'two', 'three')
    expect(await api.commits.compare(repositoryId, base, head)).toMatchObject({
      status: 'ahead',
      commits: [{ message: 'two' }, { message: 'three', author: { login: 'ada' } }],
      total: 2,
      isTruncated: false,
    })
    expect(await api.commits.compare(repositoryId, head, head)).toMatchObject({
      status: 'identical',
      commits: [],
    })
  })

  it('gives of a way back what was taken out', async () => {
    const { api, repositoryId, push } = await openGithub()
    const [older = '', , newer = ''] = push('one', 'two', 'three')
    expect(await api.commits.compare(repositoryId, newer, older)).toMatchObject({
      status: 'behind',
      commits: [{ message: 'two' }, { message: 'three' }],
      total: 2,
    })
  })

  it('gives of a branch of its own what only that branch has', async () => {
    const { api, github, repository, repositoryId, ada, push } = await openGithub()
    const [base = '', deployed = ''] = push('one', 'two')
    const fix = github.activity.commit(repository, {
      message: 'hot fix',
      author: ada,
      parents: [base],
    })
    expect(await api.commits.compare(repositoryId, deployed, fix.sha)).toMatchObject({
      status: 'diverged',
      commits: [{ message: 'hot fix' }],
    })
  })

  it('reads a thousand commits in pages, and says that there are more', async () => {
    const { api, repositoryId, push, asked } = await openGithub()
    const [base = '', ...rest] = push(...Array.from({ length: 1_003 }, (_, n) => `commit ${n}`))
    const found = await api.commits.compare(repositoryId, base, rest.at(-1) ?? '')
    expect(found).toMatchObject({ status: 'ahead', total: 1_002, isTruncated: true })
    expect(found.commits.map(({ sha }) => sha)).toEqual(rest.slice(0, 1_000))
    expect(asked()).toHaveLength(10)
  })
})
