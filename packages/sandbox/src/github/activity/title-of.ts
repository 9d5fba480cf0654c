import type { GithubRun, GithubWorkflow } from '../state.ts'

/**
 * Returns the title of a run: its workflow's `run-name`, or else the first line of the pushed commit, or the
 * workflow's name. A missing input becomes empty.
 */
export function titleOf(
  { name, runName }: Pick<GithubWorkflow, 'name' | 'runName'>,
  from: Pick<GithubRun, 'event' | 'inputs'> & { readonly message: string },
): string {
  if (runName === undefined) {
    return from.event === 'push' ? (from.message.split('\n')[0] ?? '') : name
  }
  return runName.replaceAll(
    /\$\{\{ *inputs\.([\w-]+) *\}\}/g,
    (_, input: string) => from.inputs[input] ?? '',
  )
}
