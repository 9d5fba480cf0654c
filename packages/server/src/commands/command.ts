import type { Settings } from '../settings.ts'
import { OperatorError } from '../store/operator-error.ts'

/** Where a command prints: results to `out`, talk to `err`. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  readonly isTerminal: boolean
}

/** What was typed after the name of a command. */
export interface CommandInput {
  readonly settings: () => Settings
  /** What stands after the options. Example: `['backup.signalbox']`. */
  readonly operands: readonly string[]
  /** One JSON document instead of lines for people. */
  readonly json: boolean
  /** Do what would otherwise be refused: import into a database that is not empty. */
  readonly force: boolean
  /** Which audit events are meant, as typed. */
  readonly events: {
    /** `server`, or the id of an organization. */
    readonly chain?: string | undefined
    readonly action?: string | undefined
    readonly limit?: string | undefined
  }
  readonly terminal: Terminal
}

/** A command of the server's own: prints, and answers its exit code. */
export type Command = (input: CommandInput) => Promise<number>

/** Wrong usage: printed without a stack, exit code 2. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError'

  constructor(message: string, hint?: string) {
    super(message, { code: 'usage', ...(hint !== undefined && { hint }) })
  }
}
