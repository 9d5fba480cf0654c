import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { findCommit } from '../../../../../../sandbox/src/models/git.ts'
import { notFound, refuse } from '../errors.ts'
import { toContentFile } from '../shapes/content-file.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'
import type { GithubWorkflow, GithubWorkflowInput } from '../state.ts'

/** Creates the route of file contents. The sandbox knows only the files of workflows, the same on every branch. */
export function createContentRoutes(deps: RepositoryParts): Route[] {
  const permission = ['contents', 'read'] as const
  return [toRoute(deps, 'GET /contents/*path', permission, getContent)]
}

function getContent({ repository, addresses, params, query }: RepositoryRequest): Answer {
  const { path = '' } = params
  const ref = query.get('ref') || repository.defaultBranch
  if (findCommit(repository, ref) === undefined) {
    return refuse(404, `No commit found for the ref ${ref}`)
  }
  const workflow = [...repository.workflows.values()].find((candidate) => candidate.path === path)
  if (workflow === undefined) return notFound()
  return json(
    toContentFile(addresses, repository, { path, ref, text: writeWorkflowFile(workflow) }),
  )
}

/**
 * Returns the YAML of a workflow. Text from others is written as JSON, which is YAML.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
 */
function writeWorkflowFile({ name, runName, inputs }: GithubWorkflow): string {
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
