import type { ChangeRequest } from '../operations.ts'

/** Signals that the server has made requests of changes that people must approve, and has not carried these changes out. */
export class ChangesRequested extends Error {
  override readonly name = 'ChangesRequested'
  readonly requests: readonly ChangeRequest[]
  /** Holds what the command shows with `--json` beside the requests. */
  readonly document: Readonly<Record<string, unknown>>

  constructor(
    requests: readonly ChangeRequest[],
    document: Readonly<Record<string, unknown>> = {},
  ) {
    super('People must approve the change.')
    this.requests = requests
    this.document = document
  }
}
