import { describe, expect, it } from 'vitest'
import { findDeployWorkflow } from './find-deploy-workflow.ts'

const input = (name: string) => ({
  name,
  description: null,
  type: 'string' as const,
  isRequired: false,
  default: null,
  options: [],
})
const workflow = (name: string, path: string, ...inputs: string[]) => ({
  externalId: path,
  name,
  path: `.github/workflows/${path}`,
  inputs: inputs.map(input),
})

describe('findDeployWorkflow', () => {
  it('finds one by its name or its file', () => {
    const e2e = workflow('End-to-end tests', 'e2e.yml', 'sha', 'environment')
    expect(findDeployWorkflow([e2e, workflow('Ship it', 'deploy.yml')])).toMatchObject({
      id: 'deploy.yml',
    })
  })

  it('finds one that takes a commit and an environment', () => {
    const promote = workflow('Promote', 'promote.yml', 'git-sha', 'environment')
    expect(findDeployWorkflow([workflow('Lint', 'lint.yml', 'sha'), promote])?.name).toBe('Promote')
  })

  it('takes no workflow that tests, not even one that tests deployments', () => {
    const tests = workflow('Deployment tests', 'deploy-test.yml', 'sha', 'environment')
    expect(findDeployWorkflow([tests])).toBeUndefined()
  })
})
