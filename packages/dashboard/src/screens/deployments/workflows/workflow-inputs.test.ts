import { describe, expect, it } from 'vitest'
import {
  fieldName,
  findWorkflow,
  keyOfWorkflow,
  nameWorkflow,
  readInputs,
  unavailableReason,
  type Workflow,
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

const workflowOf = (change: Partial<Workflow>): Workflow => ({
  id: '7',
  repositoryId: '1',
  name: 'E2E',
  path: '.github/workflows/e2e.yml',
  state: 'active',
  dispatchable: true,
  startableAdvice: null,
  inputs: null,
  ...change,
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

describe('rejectionOf', () => {
  it('says why a workflow cannot be started', () => {
    const reasonOf = (change: Partial<Workflow>) => unavailableReason(workflowOf(change))
    expect(reasonOf({})).toBeUndefined()
    expect(reasonOf({ dispatchable: false })).toContain('manual')
    expect(reasonOf({ state: 'disabled_manually', dispatchable: false })).toBe('disabled')
  })
})

describe('findWorkflow', () => {
  it('finds one by its number and by the name of its file, and not by the end of one', () => {
    const workflow = workflowOf({})
    expect(findWorkflow([workflow], '7')).toBe(workflow)
    expect(findWorkflow([workflow], 'e2e.yml')).toBe(workflow)
    expect(findWorkflow([workflow], '2e.yml')).toBeUndefined()
  })

  it('tells those of several repositories apart that have the same id', () => {
    const [shop, mail] = [
      workflowOf({ id: 'pipeline', repositoryId: 'gitlab.com/1' }),
      workflowOf({ id: 'pipeline', repositoryId: 'gitlab.com/2' }),
    ]
    expect(findWorkflow([shop, mail], keyOfWorkflow(mail))).toBe(mail)
    expect(findWorkflow([shop, mail], keyOfWorkflow(shop))).toBe(shop)
  })
})

describe('nameWorkflow', () => {
  it('names the repository only where the workflows are of several', () => {
    const [shop, mail] = [workflowOf({}), workflowOf({ id: '8', repositoryId: '2' })]
    const repositories = [
      { id: '1', fullName: 'acme/shop' },
      { id: '2', fullName: 'acme/mail' },
    ]
    expect(nameWorkflow(shop, { workflows: [shop], repositories })).toBe('E2E')
    const workflows = [shop, mail]
    expect(workflows.map((one) => nameWorkflow(one, { workflows, repositories }))).toEqual([
      'E2E in acme/shop',
      'E2E in acme/mail',
    ])
  })
})
