import { describe, expect, it } from 'vitest'
import { changesOf, compareCommits } from './history.ts'
import { findCommit, findRef } from '../../../../../sandbox/src/models/git.ts'
import type { GithubCommit } from './state.ts'
import { ada, recordActivity } from './testing/record-activity.ts'

/** `main`: first - second; `topic`: first - third. */
function fork() {
  const { activity, repository } = recordActivity()
  const firstSha = repository.branches.get('main') ?? ''
  const make = (message: string, ...parents: string[]) =>
    activity.commit(repository, { message, author: ada, parents })
  const push = (ref: string, to: string) => activity.push(repository, { ref, pusher: ada, to })
  const second = push('main', make('second', firstSha).sha)
  const third = push('topic', make('third', firstSha).sha)
  const first = findCommit(repository, firstSha)
  if (first === undefined) throw new Error('There is no first commit.')
  return { activity, repository, make, push, first, second, third }
}

const shas = (commits: readonly GithubCommit[] = []) => commits.map(({ sha }) => sha)

describe('compareCommits', () => {
  it('is identical for the same commit', () => {
    const { repository, second } = fork()
    const comparison = compareCommits(repository, second, second)
    expect(comparison).toMatchObject({ status: 'identical', aheadBy: 0, behindBy: 0 })
    expect(comparison?.mergeBase).toBe(second)
  })

  it('is ahead with what the head has more, oldest first', () => {
    const { repository, make, first, second } = fork()
    const later = make('later', second.sha)
    const comparison = compareCommits(repository, first, later)
    expect(comparison).toMatchObject({ status: 'ahead', aheadBy: 2, behindBy: 0 })
    expect(comparison?.mergeBase).toBe(first)
    expect(shas(comparison?.commits)).toEqual([second.sha, later.sha])
  })

  it('is behind, without commits, when the head is an ancestor: a rollback', () => {
    const { repository, first, second } = fork()
    const comparison = compareCommits(repository, second, first)
    expect(comparison).toMatchObject({ status: 'behind', aheadBy: 0, behindBy: 1, commits: [] })
    expect(comparison?.mergeBase).toBe(first)
  })

  it('is diverged from where two branches part', () => {
    const { repository, first, second, third } = fork()
    const comparison = compareCommits(repository, second, third)
    expect(comparison).toMatchObject({ status: 'diverged', aheadBy: 1, behindBy: 1 })
    expect(comparison?.mergeBase).toBe(first)
    expect(shas(comparison?.commits)).toEqual([third.sha])
  })

  it('finds the newest common commit after a merge', () => {
    const { repository, make, second, third } = fork()
    const merge = make('merge', second.sha, third.sha)
    const topic = make('more of the topic', third.sha)
    const comparison = compareCommits(repository, merge, topic)
    expect(comparison?.mergeBase).toBe(third)
    expect(shas(comparison?.commits)).toEqual([topic.sha])
  })

  it('counts both sides of a merge once', () => {
    const { repository, make, first, second, third } = fork()
    const merge = make('merge', second.sha, third.sha)
    const comparison = compareCommits(repository, first, merge)
    expect(shas(comparison?.commits)).toEqual([second.sha, third.sha, merge.sha])
  })

  it('has no answer for histories with nothing in common', () => {
    const { repository, make, second } = fork()
    expect(compareCommits(repository, second, make('orphan'))).toBeUndefined()
  })
})

describe('findCommit', () => {
  it('takes a branch, a tag, a SHA and the beginning of one', () => {
    const { repository, push, second } = fork()
    push('refs/tags/v1', second.sha)
    const names = ['main', 'heads/main', 'refs/heads/main', 'v1', 'refs/tags/v1', second.sha]
    for (const name of [...names, second.sha.slice(0, 7)]) {
      expect(findCommit(repository, name)).toBe(second)
    }
  })

  it('refuses a beginning of less than seven digits and what nothing is called', () => {
    const { repository, second } = fork()
    expect(findCommit(repository, second.sha.slice(0, 6))).toBeUndefined()
    expect(findCommit(repository, 'none')).toBeUndefined()
  })
})

describe('findRef', () => {
  it('takes a branch before a tag of its name', () => {
    const { repository, push, first } = fork()
    push('refs/tags/main', first.sha)
    expect(findRef(repository, 'main')?.kind).toBe('branch')
    expect(findRef(repository, 'tags/main')?.kind).toBe('tag')
    push('refs/tags/v1', first.sha)
    expect(findRef(repository, 'heads/v1')).toBeUndefined()
  })

  it('refuses a SHA', () => {
    const { repository, second } = fork()
    expect(findRef(repository, second.sha)).toBeUndefined()
  })
})

describe('changesOf', () => {
  const commit = (changes: Partial<Pick<GithubCommit, 'added' | 'modified' | 'removed'>>) => {
    const { second } = fork()
    return { ...second, added: [], modified: [], removed: [], ...changes }
  }

  it('says what commits come to together', () => {
    const commits = [
      commit({ added: ['new', 'gone again'], modified: ['touched', 'gone'], removed: ['back'] }),
      commit({ added: ['back'], modified: ['new'], removed: ['gone again', 'gone'] }),
    ]
    expect(changesOf(commits)).toEqual([
      { path: 'back', status: 'modified' },
      { path: 'gone', status: 'removed' },
      { path: 'new', status: 'added' },
      { path: 'touched', status: 'modified' },
    ])
  })
})
