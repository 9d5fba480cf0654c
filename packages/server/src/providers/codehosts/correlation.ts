import { idBodyPattern } from '@signalbox/contract'

const correlation = new RegExp(`(?<![0-9a-z_])(?:run|dsp)_${idBodyPattern}(?![0-9a-z_])`)

/**
 * Finds the id of ours in a text that a code host shows of a run, such as its title: `run_…` of a test run, `dsp_…` of a dispatch.
 * `null` when there is none.
 */
export function readCorrelation(text: string): string | null {
  return correlation.exec(text)?.[0] ?? null
}
