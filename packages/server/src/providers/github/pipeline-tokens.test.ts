import { describe, expect, it } from 'vitest'
import { githubPipelineTokens } from './pipeline-tokens.ts'

const claims = { repository_id: '42', run_id: '9001', run_attempt: '2' }

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
})
