import { listRequired } from '../api/requests/describe-request.ts'
import type { Output } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'

/** Prints whose approval a change needs that a dry run has tried. `requires` is the server's. */
export function noteRequired(output: Output, requires: unknown): void {
  for (const line of listRequired(requires)) {
    output.note(`  ${output.errorStyles.yellow('note')} ${printable(line)}`)
  }
}
