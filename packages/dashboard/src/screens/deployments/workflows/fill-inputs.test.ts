import { describe, expect, it } from 'vitest'
import { fillInputs, isOwnInput } from './fill-inputs.ts'
import type { WorkflowInput } from './workflow-inputs.ts'

const input = (name: string, more: Partial<WorkflowInput> = {}): WorkflowInput => ({
  name,
  type: 'string',
  description: null,
  required: false,
  default: null,
  options: [],
  ...more,
})

const deployment = {
  id: 'dep_1',
  sha: 'a'.repeat(40),
  ref: 'v2.1.0',
  refKind: 'tag',
  hostEnvironment: 'production',
  url: null,
} as const

describe('fillInputs', () => {
  it('fills the commit, the tag and the environment by their usual names', () => {
    const inputs = ['git-sha', 'tag', 'environment', 'reason'].map((name) => input(name))
    expect(Object.fromEntries(fillInputs(inputs, deployment))).toEqual({
      'git-sha': 'a'.repeat(40),
      tag: 'v2.1.0',
      environment: 'production',
    })
  })

  it('leaves to a person what the deployment does not know, and a choice that does not offer it', () => {
    const inputs = [
      input('branch'),
      input('environment_url'),
      input('environment', { type: 'choice', options: ['staging', 'live'] }),
      input('target', { type: 'choice', options: ['Production'] }),
    ]
    expect(Object.fromEntries(fillInputs(inputs, deployment))).toEqual({ target: 'Production' })
    expect(fillInputs(inputs, undefined).size).toBe(0)
  })
})

describe('isOwnInput', () => {
  it('hides the ids of Signalbox unless the workflow requires them', () => {
    expect(isOwnInput(input('test_run_id'))).toBe(true)
    expect(isOwnInput(input('test_run_id', { required: true }))).toBe(false)
    expect(isOwnInput(input('environment'))).toBe(false)
  })
})
