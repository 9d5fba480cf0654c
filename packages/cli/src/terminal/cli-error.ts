import { exitCodes, type ExitReason } from './exit-codes.ts'

/** Describes the parts of an error beside its message. */
export interface CliErrorOptions {
  /** Holds advice: one or more lines, each a sentence or a command. */
  readonly advice?: string | undefined
  /** Lists the lines below the message, such as one per wrong key. Never a secret value. */
  readonly details?: readonly string[] | undefined
  readonly docs?: string | undefined
  readonly cause?: unknown
}

/** Signals a failure that the person at the terminal can act on. Any other error is a bug. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly reason: ExitReason
  /** Holds a stable code in lower snake case: the problem's code when the server refused. */
  readonly code: string
  readonly advice: string | undefined
  readonly details: readonly string[]
  readonly docs: string | undefined

  constructor(reason: ExitReason, code: string, message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.reason = reason
    this.code = code
    this.advice = options.advice
    this.details = options.details ?? []
    this.docs = options.docs
  }

  get exitCode(): number {
    return exitCodes[this.reason]
  }
}
