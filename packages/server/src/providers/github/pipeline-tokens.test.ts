import { describe, expect, it } from 'vitest'
import { githubPipelineTokens } from './pipeline-tokens.ts'

const claims = { repository_id: '42', run_id: '9001', run_attempt: '2' }

const identity = { repositoryExternalId: '42', runId: '9001', attempt: 2 }
const sha = 'a'.repeat(40)
const read = (of: object) =>
  githubPipelineTokens('https://github.com').readIdentity({ ...claims, ...of })

describe('the tokens of pipelines', () => {
  it('have an issuer of their own at github.com, and the server itself elsewhere', () => {
    expect(githubPipelineTokens('https://github.com')).toMatchObject({
      issuer: 'https://token.actions.githubusercontent.com',
      jwksUrl: 'https://token.actions.githubusercontent.com/.well-known/jwks',
    })
    expect(githubPipelineTokens('https://git.example.com').issuer).toBe(
      'https://git.example.com/_services/token',
    )
  })

  it('name repository, run and attempt as text, or nothing', () => {
    const { readIdentity } = githubPipelineTokens('https://github.com')
    expect(readIdentity(claims)).toEqual({
      repositoryExternalId: '42',
      runId: '9001',
      attempt: 2,
    })
    for (const wrong of [{ run_id: 9001 }, { run_attempt: '0' }, { repository_id: '' }]) {
      expect(readIdentity({ ...claims, ...wrong })).toBeUndefined()
    }
  })

  it('name the commit and the branch of a run', () => {
    expect(read({ event_name: 'push', sha, ref: 'refs/heads/main' })).toEqual({
      ...identity,
      sha,
      ref: 'refs/heads/main',
    })
  })

  it('name the pull request whose merge a run is of', () => {
    expect(read({ event_name: 'pull_request', sha, ref: 'refs/pull/74/merge' })).toEqual({
      ...identity,
      sha,
      ref: 'refs/pull/74/merge',
      pullRequest: 74,
    })
    const branch = read({ event_name: 'push', sha, ref: 'refs/heads/refs/pull/74/merge' })
    expect(branch).not.toHaveProperty('pullRequest')
  })

  it.each(['pull_request_target', 'workflow_run'])(
    'say nothing of the commit for %s, whose code is usually another',
    (event_name) => {
      expect(read({ event_name, sha, ref: 'refs/heads/main' })).toEqual(identity)
    },
  )

  it('say nothing of a commit that is no hash, or whose event is not known', () => {
    const ref = 'refs/heads/main'
    expect(read({ event_name: 'push', sha: 'main', ref })).toEqual(identity)
    expect(read({ sha, ref })).toEqual(identity)
  })
})
