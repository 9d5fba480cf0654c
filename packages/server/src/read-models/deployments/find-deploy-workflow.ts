import type { StartableWorkflowRow } from './surrounding-rows.ts'

/** Describes the workflow that deploys a repository. */
export interface DeployWorkflow {
  readonly id: string
  readonly name: string
}

/**
 * Finds the workflow that deploys: the first whose name or file says so, or else the first that takes a commit and an environment. One
 * that says that it tests deploys nothing.
 */
export function findDeployWorkflow(
  workflows: readonly StartableWorkflowRow[],
): DeployWorkflow | undefined {
  const possible = workflows.filter(
    ({ name, path }) => !/\b(?:e2e|tests)\b/i.test(`${name} ${path}`),
  )
  const workflow =
    possible.find(({ name, path }) => /deploy|release|rollout|ship/i.test(`${name} ${path}`)) ??
    possible.find(takesCommitAndEnvironment)
  return workflow && { id: workflow.externalId, name: workflow.name }
}

const commitInput = /^(?:git_?)?(?:sha|commit|commit_sha|ref|revision)$/i
const environmentInput = /^(?:env|environment|target|stage)(?:_name)?$/i

function takesCommitAndEnvironment({ inputs }: StartableWorkflowRow): boolean {
  const names = (inputs ?? []).map(({ name }) => name.replaceAll('-', '_'))
  return [commitInput, environmentInput].every((pattern) =>
    names.some((name) => pattern.test(name)),
  )
}
