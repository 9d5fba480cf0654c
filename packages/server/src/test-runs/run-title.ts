import { idBodyPattern } from '@signalbox/contract'

const runId = new RegExp(`(?<![0-9a-z_])run_${idBodyPattern}(?![0-9a-z_])`)

/** The id of a test run in the title of the code host's run, as in `run-name: e2e ${{ inputs.test_run_id }}`. */
export function readRunId(title: string): string | undefined {
  return runId.exec(title)?.[0]
}
