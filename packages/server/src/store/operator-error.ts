/** Describes what the operator can do, and how scripts recognize the error. */
export interface OperatorErrorOptions {
  /** Says in one sentence or command what to do. */
  readonly advice?: string
  /** Names the error for scripts: stable, lower snake case. Default `failed`. */
  readonly code?: string
  readonly cause?: unknown
}

/** Describes an error that the operator can fix. Its message says in one sentence what is wrong; no stack is shown. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
  readonly code: string
  readonly advice: string | undefined

  constructor(message: string, { advice, code = 'failed', cause }: OperatorErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.advice = advice
  }
}
