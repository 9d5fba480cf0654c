/** What went wrong, for programs. `unreachable` covers everything that a later attempt may mend. */
export type ConfigErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unknown_key'
  | 'unreachable'
  | 'invalid'

/** Anything about configuration that the developer can act on. The message never repeats a value or a token. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  declare readonly code: ConfigErrorCode

  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
