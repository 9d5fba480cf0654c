/** Names an error for programs. `unreachable` covers everything that a later attempt may solve. */
export type ConfigErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unknown_key'
  | 'unreachable'
  | 'invalid'
  | 'untrusted'
  | 'out_of_range'

/** Signals a problem of the configuration that the developer can act on. The message never repeats a value or a token. */
export class ConfigError extends Error {
  declare readonly code: ConfigErrorCode
  /**
   * Holds advice on what to do. Only clients outside of a browser set it: in a browser every byte counts, and `code`
   * has to do.
   */
  declare readonly hint?: string

  constructor(code: ConfigErrorCode, message: string = code, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
