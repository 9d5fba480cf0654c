import { describe, expect, it } from 'vitest'
import { parseWorkflowFile } from './workflow-file.ts'

const parse = (text: string) => parseWorkflowFile(Buffer.from(text))
const optional = {
  description: null,
  type: 'string',
  isRequired: false,
  default: null,
  options: [],
}

describe('parseWorkflowFile', () => {
  it('reads the inputs that a workflow is started with', () => {
    const text = `
name: E2E
run-name: e2e \${{ inputs.test_run_id }}
on:
  push: { branches: [main] }
  workflow_dispatch:
    inputs:
      suite:
        description: Which tests
        type: choice
        required: true
        options: [smoke, all, 2026]
      retries: { type: number, default: 2 }
      verbose: { type: boolean, default: false }
      place: { type: environment }
      test_run_id:
jobs: {}
`
    expect(parse(text)).toEqual({
      isStartable: true,
      inputs: [
        {
          name: 'suite',
          description: 'Which tests',
          type: 'choice',
          isRequired: true,
          default: null,
          options: ['smoke', 'all', '2026'],
        },
        { ...optional, name: 'retries', type: 'number', default: '2' },
        { ...optional, name: 'verbose', type: 'boolean', default: 'false' },
        { ...optional, name: 'place', type: 'environment' },
        { ...optional, name: 'test_run_id' },
      ],
      shownInputs: ['test_run_id'],
    })
  })

  it.each([
    ['on: workflow_dispatch', true],
    ['on: [push, workflow_dispatch]', true],
    ['"on": { workflow_dispatch: }', true],
    ['on: { workflow_dispatch: { inputs: } }', true],
    ['on: { workflow_dispatch: { inputs: [] } }', true],
    ['on:\n- push\n- workflow_dispatch\njobs: [}', true],
    ['on: push\n# workflow_dispatch:\njobs:\n  workflow_dispatch:', false],
    ['on: push', false],
    ['on: { schedule: [{ cron: "0 0 * * *" }] }', false],
  ])('knows by %s whether it is started by hand', (text, isStartable) => {
    expect(parse(text)).toEqual({ isStartable, inputs: [], shownInputs: [] })
  })

  const declared = 'on: { workflow_dispatch: { inputs: { test_run_id: , suite: } } }'
  it.each([
    ["run-name: e2e ${{ inputs.test_run_id || 'by hand' }}", ['test_run_id']],
    [
      'run-name: "${{inputs.suite}} ${{ github.event.inputs.test_run_id }}"',
      ['test_run_id', 'suite'],
    ],
    ['run-name: >-\n  e2e\n  ${{ inputs.test_run_id }}', ['test_run_id']],
    ['run-name: e2e ${{ inputs.other }}', []],
    ["run-name: e2e ${{ inputs.suite == 'all' && inputs.test_run_id }}", []],
    ['run-name: e2e # ${{ inputs.test_run_id }}', []],
    ['name: e2e ${{ inputs.test_run_id }}', []],
    ['jobs:\n  run-name: ${{ inputs.test_run_id }}', []],
    ['run-name: [', []],
  ])('finds in %s which inputs every run shows', (line, shownInputs) => {
    expect(parse(`${line}\n${declared}`)?.shownInputs).toEqual(shownInputs)
  })

  it('takes an input of a kind that it does not know for what it is', () => {
    const text =
      'on: { workflow_dispatch: { inputs: { a: { type: colour, required: "yes" }, b: 1 } } }'
    expect(parse(text)?.inputs).toEqual([
      { ...optional, name: 'a', type: 'unknown' },
      { ...optional, name: 'b' },
    ])
  })

  const laughs = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh'].map((at) =>
    at.split(''),
  )) {
    laughs.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`)
  }
  it.each([
    ['no YAML', 'on: ['],
    ['no workflow', '[1, 2]'],
    ['nothing', ''],
    ['triggers that are too large', `on:\n  push:\n  #${'x'.repeat(20_000)}`],
    ['JSON', '{"on":"push"}'],
    ['an anchor of another place', 'x: &x push\non: *x'],
    ['brackets without end', `on: ${'['.repeat(16_000)}`],
    ['anchors that grow without end', `on:\n  ${laughs.join('\n  ')}\n  z: *h`],
  ])('knows nothing of %s', (_what, text) => {
    expect(parse(text)).toBeUndefined()
  })
})
