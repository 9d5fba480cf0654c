import type { ForgejoRepository, ForgejoWorkflow } from './state.ts'

/** Lists the folders of workflows. The first of these that a repository has counts. Gitea does not know Forgejo's own. */
export const workflowFolders = ['.forgejo/workflows', '.gitea/workflows', '.github/workflows']

/** Returns the file of a workflow. Text of others is written as JSON, which is YAML. */
function writeWorkflowFile({ name, runName, inputs }: ForgejoWorkflow): string {
  const trigger =
    inputs === undefined
      ? ['  push: {}']
      : [
          '  workflow_dispatch:',
          ...(inputs.length === 0 ? [] : ['    inputs:']),
          ...inputs.flatMap(({ name: input, description, isRequired, default: value }) => [
            `      ${input}:`,
            ...(description === undefined
              ? []
              : [`        description: ${JSON.stringify(description)}`]),
            `        required: ${isRequired === true}`,
            ...(value === undefined ? [] : [`        default: ${JSON.stringify(value)}`]),
          ]),
        ]
  return [
    `name: ${JSON.stringify(name)}`,
    ...(runName === undefined ? [] : [`run-name: ${JSON.stringify(runName)}`]),
    'on:',
    ...trigger,
    'jobs:',
    '  test:',
    '    runs-on: docker',
    '    steps:',
    '      - run: "true"',
    '',
  ].join('\n')
}

/** Returns the values of the declared inputs, and the name of one that is required and missing. Others are ignored. */
export function readInputs(
  { inputs = [] }: ForgejoWorkflow,
  sent: Readonly<Record<string, unknown>>,
): { readonly values: Readonly<Record<string, string>> } | { readonly missing: string } {
  const values: Record<string, string> = {}
  for (const { name, isRequired, default: otherwise } of inputs) {
    const value = sent[name]
    const text = typeof value === 'string' && value !== '' ? value : otherwise
    if (text !== undefined) values[name] = text
    else if (isRequired === true) return { missing: name }
  }
  return { values }
}

/** Returns the title of a run: its `run-name`, or else the first line of the commit. */
export function titleOf(
  { runName }: ForgejoWorkflow,
  inputs: Readonly<Record<string, string>>,
  message: string,
): string {
  if (runName === undefined) return message.split('\n', 1)[0] ?? ''
  return runName.replaceAll(
    /\$\{\{\s*inputs\.([\w-]+)\s*\}\}/g,
    (_, name: string) => inputs[name] ?? '',
  )
}

/** Returns the content at a path: a file, the names of a folder, or `undefined`. Only workflows are files here. */
export function findContent(
  { workflows, workflowFolder }: ForgejoRepository,
  path: string,
): { readonly text: string } | { readonly names: readonly string[] } | undefined {
  if (path === workflowFolder && workflows.size > 0) return { names: [...workflows.keys()] }
  const file = path.startsWith(`${workflowFolder}/`) ? path.slice(workflowFolder.length + 1) : ''
  const workflow = workflows.get(file)
  return workflow && { text: writeWorkflowFile(workflow) }
}
