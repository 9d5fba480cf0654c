import { appendFile } from 'node:fs/promises'
import { relative } from 'node:path'

type Variables = Readonly<Partial<Record<string, string>>>

/** Adds Markdown to the job's summary. */
export async function addSummary(env: Variables, markdown: string): Promise<void> {
  const path = env['GITHUB_STEP_SUMMARY']
  if (path) await appendFile(path, `${markdown}\n\n`)
}

/** Sets outputs of the step. Values have one line. */
export async function setOutputs(
  env: Variables,
  outputs: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const path = env['GITHUB_OUTPUT']
  const lines = Object.entries(outputs).map(([name, value]) => {
    return `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`
  })
  if (path) await appendFile(path, lines.join(''))
}

/** Returns a path relative to the repository, as GitHub's annotations need it. */
export function repositoryPath(env: Variables, path: string): string {
  const workspace = env['GITHUB_WORKSPACE']
  return workspace ? relative(workspace, path) : path
}
