import { ConfigError, type ConfigErrorCode } from './config-error.ts'

/** A `ConfigError` that says what to do. Kept apart, because a browser does not download it. */
export class AdvisedError extends ConfigError {
  // A log shows the name that the documents use.
  static override readonly name = 'ConfigError'
  override readonly name = 'ConfigError'
  override readonly hint: string

  constructor(code: ConfigErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(code, message, options)
    this.hint = hint
  }
}
