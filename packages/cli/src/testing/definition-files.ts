import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestDirectory } from './run-cli.ts'

/**
 * Writes the definition file of a test. `tiers` is the text inside `defineConfig({ … })`. `check(type, accepts)` is a
 * validator of the code, of which the server knows the type alone.
 */
export function writeDefinition(
  directory: TestDirectory,
  tiers: string,
  name = 'signalbox.config.ts',
): void {
  const text = `import { boolean, defineConfig, number, string, typed } from '@signalbox/config'
export default defineConfig({
${tiers}
})
${checkFunction}`
  writeFileSync(join(directory.directory, name), text)
}

const checkFunction = `
function check(type, accepts, message = 'is refused') {
  const answer = (value, fits) => (fits ? { value } : { issues: [{ message }] })
  const validate = (value) => {
    if (typeof value !== type) return answer(value, false)
    const fits = accepts(value)
    return typeof fits === 'boolean' ? answer(value, fits) : fits.then((each) => answer(value, each))
  }
  return typed(type, { '~standard': { version: 1, vendor: 'by hand', validate } })
}
`

/** A key of each tier. */
export const oneOfEach = `
  public: {
    timeoutMs: number({ integer: true, positive: true, default: 3000 }),
  },
  secret: {
    stripeKey: string({ prefix: 'sk_' }),
  },
  featureFlags: {
    newCheckout: boolean({ default: false }),
  },
`
