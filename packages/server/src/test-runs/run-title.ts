import { idBodyPattern } from '@signalbox/contract'

const ids = {
  run: new RegExp(`(?<![0-9a-z_])run_${idBodyPattern}(?![0-9a-z_])`),
  dsp: new RegExp(`(?<![0-9a-z_])dsp_${idBodyPattern}(?![0-9a-z_])`),
}

/** The id of a test run in the title of the code host's run, as in `run-name: e2e ${{ inputs.test_run_id }}`. */
export function readRunId(title: string): string | undefined {
  return ids.run.exec(title)?.[0]
}

/** The id of a dispatch in the title of the code host's run, as in `run-name: clean up ${{ inputs.dispatch_id }}`. */
export function readDispatchId(title: string): string | undefined {
  return ids.dsp.exec(title)?.[0]
}
