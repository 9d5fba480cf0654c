import type { GithubWorkflow, GithubWorkflowInput } from '../state.ts'

/**
 * Returns the YAML of a workflow. Text from others is written as JSON, which is YAML.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
 */
export function writeWorkflowFile({ name, runName, inputs }: GithubWorkflow): string {
  return [
    `name: ${JSON.stringify(name)}`,
    ...(runName === undefined ? [] : [`run-name: ${JSON.stringify(runName)}`]),
    'on:',
    '  push:',
    ...(inputs === undefined ? [] : ['  workflow_dispatch:', ...writeInputs(inputs)]),
    'jobs:',
    '  run:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - run: "true"',
    '',
  ].join('\n')
}

function writeInputs(inputs: readonly GithubWorkflowInput[]): string[] {
  if (inputs.length === 0) return []
  const declared = inputs.flatMap(({ name, ...fields }) => [
    `      ${JSON.stringify(name)}:`,
    ...Object.entries({ type: 'string', ...fields }).map(
      ([field, value]) => `        ${field}: ${JSON.stringify(value)}`,
    ),
  ])
  return ['    inputs:', ...declared]
}
