import type { Settings } from '../settings.ts'
import { OperatorError } from '../store/operator-error.ts'

/** Describes the output of a command: results go to `out`, messages to `err`. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  readonly isTerminal: boolean
}

/** Describes the operands and options of a command as they were typed. */
export interface CommandInput {
  /** Holds the environment. Default: that of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  readonly settings: () => Settings
  /** Lists the words after the options. Example: `['backup.signalbox']`. */
  readonly operands: readonly string[]
  /** One JSON document instead of lines for people. */
  readonly json: boolean
  /** Do what would otherwise be refused: import into a database that is not empty. */
  readonly force: boolean
  /** Describes the filter of audit events, as typed. */
  readonly events: {
    /** `server`, or the id of an organization. */
    readonly chain?: string | undefined
    readonly action?: string | undefined
    readonly limit?: string | undefined
  }
  readonly terminal: Terminal
  /** Lets the young generation of V8 grow, once the service is ready; a command that ends has no need to. Default: it is not held. */
  readonly releaseYoungGeneration?: () => void
}

/** Runs a command of the server's own: prints, and returns its exit code. */
export type Command = (input: CommandInput) => Promise<number>

/** Reports wrong usage: printed without a stack, exit code 2. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError'

  constructor(message: string, advice?: string) {
    super(message, { code: 'usage', ...(advice !== undefined && { advice }) })
  }
}
