import { describe, expect, it } from 'vitest'
import {
  fieldName,
  findWorkflow,
  readInputs,
  unavailableReason,
  type WorkflowInput,
} from './workflow-inputs.ts'

const input = (name: string, type: WorkflowInput['type']): WorkflowInput => ({
  name,
  type,
  description: null,
  required: false,
  default: null,
  options: [],
})

describe('readInputs', () => {
  it('sends what was filled in, and a box that is not ticked as false', () => {
    const typed = new Map([
      [fieldName('environment'), 'staging'],
      [fieldName('ref'), 'is an input as well'],
      [fieldName('note'), ''],
    ])
    const inputs = [
      input('environment', 'choice'),
      input('ref', 'string'),
      input('note', 'string'),
      input('dry-run', 'boolean'),
    ]
    expect(readInputs(inputs, (name) => typed.get(name) ?? '')).toEqual({
      environment: 'staging',
      ref: 'is an input as well',
      'dry-run': 'false',
    })
  })
})

describe('refusalOf', () => {
  it('says why a workflow cannot be started', () => {
    const workflow = {
      id: '1',
      repositoryId: '1',
      name: 'E2E',
      path: 'e2e.yml',
      startableAdvice: null,
      inputs: null,
    }
    expect(unavailableReason({ ...workflow, state: 'active', dispatchable: true })).toBeUndefined()
    expect(unavailableReason({ ...workflow, state: 'active', dispatchable: false })).toContain(
      'manual',
    )
    expect(
      unavailableReason({ ...workflow, state: 'disabled_manually', dispatchable: false }),
    ).toBe('disabled')
  })
})

describe('findWorkflow', () => {
  it('finds one by its number and by the name of its file, and not by the end of one', () => {
    const workflow = {
      id: '7',
      repositoryId: '1',
      name: 'E2E',
      path: '.github/workflows/e2e.yml',
      state: 'active',
      dispatchable: true,
      startableAdvice: null,
      inputs: null,
    }
    expect(findWorkflow([workflow], '7')).toBe(workflow)
    expect(findWorkflow([workflow], 'e2e.yml')).toBe(workflow)
    expect(findWorkflow([workflow], '2e.yml')).toBeUndefined()
  })
})
