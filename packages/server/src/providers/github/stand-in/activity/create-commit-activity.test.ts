import { describe, expect, it } from 'vitest'
import { ada, recordActivity } from '../testing/record-activity.ts'

const zeros = '0'.repeat(40)

function record() {
  const recorded = recordActivity()
  const { events, repository } = recorded
  return {
    ...recorded,
    first: repository.branches.get('main') ?? '',
    /** The bodies of the events of a name, oldest first. */
    bodies: (name: string) =>
      events.filter((event) => event.name === name).map(({ payload }) => payload),
  }
}

describe('push', () => {
  it('tells of new commits oldest first, with the newest as head', () => {
    const { activity, repository, bodies, first } = record()
    const commits = [{ message: 'ABC-1 one', added: ['a.ts'] }, { message: 'ABC-2 two' }]
    const newest = activity.push(repository, { ref: 'main', pusher: ada, commits })
    expect(repository.branches.get('main')).toBe(newest.sha)
    expect(bodies('push')).toEqual([
      expect.objectContaining({
        ref: 'refs/heads/main',
        before: first,
        after: newest.sha,
        created: false,
        deleted: false,
        forced: false,
        base_ref: null,
        compare: `http://127.0.0.1:4500/github/acme/shop/compare/${first.slice(0, 12)}...${newest.sha.slice(0, 12)}`,
        commits: [
          expect.objectContaining({ message: 'ABC-1 one', added: ['a.ts'], distinct: true }),
          expect.objectContaining({ id: newest.sha, message: 'ABC-2 two' }),
        ],
        head_commit: expect.objectContaining({ id: newest.sha, tree_id: newest.treeSha }),
        pusher: { name: 'ada', email: 'ada@example.com' },
        sender: expect.objectContaining({ login: 'ada', id: 12 }),
      }),
    ])
  })

  it('dates the repository in seconds since 1970, as only this event does', () => {
    const { activity, repository, bodies } = record()
    activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message: 'one' }] })
    const createdAt = Math.floor(repository.createdAt.getTime() / 1000)
    expect(bodies('push')).toMatchObject([{ repository: { created_at: createdAt } }])
  })

  it('makes a branch and says at which one it began', () => {
    const { activity, repository, bodies, first } = record()
    activity.push(repository, { ref: 'topic', pusher: ada, to: first })
    expect(bodies('create')).toMatchObject([
      { ref: 'topic', ref_type: 'branch', master_branch: 'main' },
    ])
    expect(bodies('push')).toMatchObject([
      { before: zeros, created: true, base_ref: 'refs/heads/main', commits: [] },
    ])
  })

  it('marks as not distinct what another branch had already', () => {
    const { activity, repository, bodies } = record()
    const commits = [{ message: 'one' }]
    const { sha } = activity.push(repository, { ref: 'topic', pusher: ada, commits })
    activity.push(repository, { ref: 'main', pusher: ada, to: sha })
    expect(bodies('push')).toMatchObject([
      { ref: 'refs/heads/topic', commits: [{ id: sha, distinct: true }] },
      // It was there: where a branch that is moved comes from, GitHub does not say.
      { ref: 'refs/heads/main', base_ref: null, commits: [{ id: sha, distinct: false }] },
    ])
  })

  it('is forced when something of the branch is left behind', () => {
    const { activity, repository, bodies, first } = record()
    activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message: 'dropped' }] })
    activity.push(repository, { ref: 'main', pusher: ada, to: first })
    expect(bodies('push')[1]).toMatchObject({ forced: true, after: first, commits: [] })
  })

  it('tells of a tag without commits, even of those that are nowhere else', () => {
    const { activity, repository, bodies, first } = record()
    activity.push(repository, { ref: 'refs/tags/v1', pusher: ada, to: first })
    const commits = [{ message: 'of the tag alone' }]
    activity.push(repository, { ref: 'refs/tags/v2', pusher: ada, commits })
    expect(bodies('create')[0]).toMatchObject({ ref: 'v1', ref_type: 'tag' })
    expect(bodies('push')).toMatchObject([
      { ref: 'refs/tags/v1', base_ref: 'refs/heads/main', commits: [], head_commit: { id: first } },
      { ref: 'refs/tags/v2', base_ref: null, commits: [] },
    ])
  })

  it('carries the newest 2048 commits at most', () => {
    const { activity, repository, bodies } = record()
    const commits = Array.from({ length: 2050 }, (_, index) => ({ message: `commit ${index}` }))
    activity.push(repository, { ref: 'main', pusher: ada, commits })
    const [body] = bodies('push')
    expect(body?.['commits']).toHaveLength(2048)
    expect(body).toMatchObject({ head_commit: { message: 'commit 2049' } })
  })

  it('says nothing when nothing moves', () => {
    const { activity, repository, events, first } = record()
    activity.push(repository, { ref: 'main', pusher: ada, to: first })
    expect(events).toEqual([])
  })

  it('refuses a commit that is not there', () => {
    const { activity, repository, events } = record()
    const push = { ref: 'main', pusher: ada, to: zeros }
    expect(() => activity.push(repository, push)).toThrow('There is no commit')
    expect(events).toEqual([])
  })
})

describe('deleteRef', () => {
  it('tells of it, without a head commit', () => {
    const { activity, repository, bodies, first } = record()
    activity.push(repository, { ref: 'topic', pusher: ada, to: first })
    activity.deleteRef(repository, { ref: 'topic', pusher: ada })
    expect(repository.branches.has('topic')).toBe(false)
    expect(bodies('delete')).toMatchObject([{ ref: 'topic', ref_type: 'branch' }])
    expect(bodies('push')[1]).toMatchObject({
      before: first,
      after: zeros,
      deleted: true,
      commits: [],
      head_commit: null,
    })
  })

  it('refuses the default branch and one that is not there', () => {
    const { activity, repository } = record()
    const remove = (ref: string) => () => activity.deleteRef(repository, { ref, pusher: ada })
    expect(remove('main')).toThrow('GitHub refuses to delete the default branch.')
    expect(remove('topic')).toThrow('There is no refs/heads/topic.')
  })
})

describe('renameRepository', () => {
  it('tells the old name', () => {
    const { activity, repository, bodies } = record()
    activity.renameRepository(repository, 'store', ada)
    expect(bodies('repository')).toMatchObject([
      {
        action: 'renamed',
        changes: { repository: { name: { from: 'shop' } } },
        repository: { id: repository.id, full_name: 'acme/store' },
        organization: { login: 'acme' },
      },
    ])
  })
})
