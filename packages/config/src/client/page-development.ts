import { adoptErrors } from './adopt-errors.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'
import { DevelopmentError } from './development-error.ts'

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
