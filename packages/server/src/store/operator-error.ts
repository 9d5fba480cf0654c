/** What to do about it, in one sentence or command, and what scripts know it by. */
export interface OperatorErrorOptions {
  readonly hint?: string
  /** Stable, lower snake case. Default `failed`. */
  readonly code?: string
  readonly cause?: unknown
}

/** What the person who runs the service can mend. Its message says in one sentence what is wrong; nobody needs a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
  readonly code: string
  readonly hint: string | undefined

  constructor(message: string, { hint, code = 'failed', cause }: OperatorErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.hint = hint
  }
}
