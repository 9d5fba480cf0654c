import { createCore, type Core, type CoreOptions } from './core.ts'
import { ConfigError, type ConfigErrorCode } from '../config-error.ts'
import type { FetchLike } from './client-types.ts'
import { nearNames } from './near-names.ts'

export * from './page.ts'

/** Creates the client that `createPageCore` creates in a published page, with errors that say what to do. */
export function createPageCore(options: CoreOptions): Core {
  // Written twice, because a function for both would cost published pages 15 bytes.
  if (/^sbx_(?!b2m)/.test(options.token) || options.initialValues?.secret) {
    throw new DevelopmentError('forbidden')
  }
  const { fetch: own } = options
  const fetch = own && adoptErrors(own, DevelopmentError)
  return createCore({ ...options, fetch }, `apiKey=${options.token}`, globalThis, DevelopmentError)
}

/** Returns a `fetch` whose own `ConfigError`s, such as those of `verify`, become a `Failure`, with its advice. */
function adoptErrors(request: FetchLike, Failure: typeof ConfigError): FetchLike {
  return async (url, init) => {
    try {
      return await request(url, init)
    } catch (cause) {
      if (!(cause instanceof ConfigError)) throw cause
      throw new Failure(cause.code, cause.message, { cause })
    }
  }
}

/**
 * Signals a problem in a page that is developed: its message says what to do. A page that is published gets the code
 * alone, because there every byte counts.
 */
class DevelopmentError extends ConfigError {
  static {
    // Logs show the name that the documentation uses. Defined, because an assignment fails, and that is what some compilers
    // make of a static property.
    Object.defineProperty(this, 'name', { value: 'ConfigError' })
  }

  override readonly name = 'ConfigError'

  constructor(code: ConfigErrorCode, message: string = code, options?: ErrorOptions) {
    const subject = message === code ? '' : `${message}${nearNames(message, options?.cause)}. `
    super(code, subject + sentences[code], options)
  }
}

const sentences: Readonly<Record<ConfigErrorCode, string>> = {
  unauthorized:
    'Signalbox refuses the key of this page (401 or 400). Use a valid browser key, sbx_b2m_….',
  forbidden:
    'A page needs a browser key (sbx_b2m_…) that may read this schema and this environment, and initialValues without secrets.',
  not_found:
    'Signalbox has no such organization, environment or schema, or the key belongs to another organization (404). Compare the names or ids with the dashboard. A new schema exists after the first "signalbox push".',
  unreachable:
    'Signalbox is not responding. Check that it is running, that the address is its config address, and that its certificate is valid. The client keeps trying.',
  invalid: 'Another program than Signalbox answers at this address.',
  untrusted:
    'The page keeps its values. Compare the option keys of verify() with "signalbox publisher-keys".',
  out_of_range: 'Correct the value and its rules, or the range in the code.',
  unknown_key:
    'Declare it in signalbox.config.ts and "signalbox push", give it a value or a default, and use an error boundary. A browser cannot read secrets.',
}
