import { ConfigError, type ConfigErrorCode } from './config-error.ts'

/** Extends `ConfigError` with advice on what to do. It is a class of its own, so that browsers do not download the advice. */
export class AdvisedError extends ConfigError {
  static {
    // Logs show the name that the documentation uses. Defined, because an assignment fails, and that is what some compilers
    // make of a static property.
    Object.defineProperty(this, 'name', { value: 'ConfigError' })
  }

  override readonly name = 'ConfigError'
  override readonly hint: string

  constructor(code: ConfigErrorCode, message: string, advice: string, options?: ErrorOptions) {
    super(code, message, options)
    this.hint = advice
  }
}
