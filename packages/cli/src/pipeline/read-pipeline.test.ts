import { describe, expect, it } from 'vitest'
import { readPipeline } from './read-pipeline.ts'

const ofActions = {
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_SHA: '4f1c2aa',
  GITHUB_REF_NAME: 'main',
  GITHUB_RUN_ID: '12',
  GITHUB_SERVER_URL: 'https://git.example.com',
}

describe('the variables of a pipeline', () => {
  it.each([
    ['GitHub', { GITHUB_ACTIONS: 'true', ...ofActions }],
    ['Forgejo', { FORGEJO_ACTIONS: 'true', ...ofActions }],
    ['Gitea', { GITEA_ACTIONS: 'true', ...ofActions }],
    [
      'GitLab',
      {
        GITLAB_CI: 'true',
        CI_PROJECT_PATH: 'acme/shop',
        CI_COMMIT_SHA: '4f1c2aa',
        CI_COMMIT_REF_NAME: 'main',
        CI_PIPELINE_ID: '12',
      },
    ],
    [
      'Woodpecker',
      {
        CI: 'woodpecker',
        CI_REPO: 'acme/shop',
        CI_COMMIT_SHA: '4f1c2aa',
        CI_COMMIT_TAG: '',
        CI_COMMIT_BRANCH: 'main',
        CI_PIPELINE_NUMBER: '12',
      },
    ],
  ])('of %s name repository, commit, branch and run', (_host, env) => {
    expect(readPipeline(env)).toMatchObject({
      repository: 'acme/shop',
      sha: '4f1c2aa',
      ref: 'main',
      runId: '12',
    })
  })

  it('of Actions name the page of the run, to which its jobs report together', () => {
    const url = 'https://git.example.com/acme/shop/actions/runs/12'
    expect(readPipeline({ GITHUB_ACTIONS: 'true', ...ofActions })).toMatchObject({ url })
  })

  it('say nothing outside of one', () => {
    expect(readPipeline(ofActions)).toEqual({})
  })
})
