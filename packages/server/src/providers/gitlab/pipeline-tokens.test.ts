import { describe, expect, it } from 'vitest'
import { gitlabPipelineTokens } from './pipeline-tokens.ts'

const webUrl = 'https://gitlab.example.com/code'
const { readIdentity, issuer, jwksUrl } = gitlabPipelineTokens('gitlab', webUrl)
const claims = {
  project_id: '42',
  job_project_id: '42',
  pipeline_id: '9001',
  pipeline_source: 'api',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
}
const identity = {
  repositoryExternalId: 'gitlab.example.com/code/42',
  runId: '9001',
  attempt: 1,
  isRefProtected: true,
  ref: 'refs/heads/main',
}

const sha = 'a'.repeat(40)

describe('the ID tokens of GitLab', () => {
  it('have the instance as their issuer, whose discovery document names the keys', () => {
    expect(issuer).toBe(webUrl)
    expect(jwksUrl).toBeUndefined()
  })

  it('name the project of this instance, the pipeline and whether its ref is protected', () => {
    expect(readIdentity({ ...claims, sha })).toEqual({ ...identity, sha })
    expect(readIdentity({ ...claims, ref_protected: 'false' })).toMatchObject({
      isRefProtected: false,
    })
    for (const wrong of [{ project_id: '' }, { pipeline_id: 'x' }, { ref_protected: 'maybe' }])
      expect(readIdentity({ ...claims, ...wrong })).toBeUndefined()
  })

  it('are taken from versions that name neither the project of the job nor the ref', () => {
    const { project_id, pipeline_id, pipeline_source } = claims
    const { isRefProtected: _, ref: __, ...known } = identity
    expect(readIdentity({ project_id, pipeline_id, pipeline_source })).toEqual(known)
  })

  it.each([
    // The job runs in the project, and the code is the fork's.
    ['of a fork, where the target is named (18.4)', { project_id: '77', job_project_id: '42' }],
    ['of a fork, where the fork is taken for the project', { job_project_id: '77' }],
    ['of a merge request before 18.2.2', { pipeline_source: 'merge_request_event' }],
    ['of a pull request elsewhere', { pipeline_source: 'external_pull_request_event' }],
    ['on the ref of a merge request', { ref_path: 'refs/merge-requests/7/head' }],
  ])('name no run %s', (_what, fork) => {
    expect(readIdentity({ ...claims, ...fork })).toBeUndefined()
  })
})
