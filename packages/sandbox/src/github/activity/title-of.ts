import type { GithubRun, GithubWorkflow } from '../state.ts'

/**
 * Returns what a run is called: its workflow's `run-name`, or else the first line of the commit that was pushed, or the
 * workflow's name. An input that was not given stands for nothing.
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
