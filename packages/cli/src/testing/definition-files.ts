import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestDirectory } from './run-cli.ts'

/** Writes the definition file of a test. `tiers` is the text inside `defineConfig({ … })`. */
export function writeDefinition(
  directory: TestDirectory,
  tiers: string,
  name = 'signalbox.config.ts',
): void {
  const text = `import { boolean, defineConfig, number, string } from '@signalbox/config'
export default defineConfig({
${tiers}
})
`
  writeFileSync(join(directory.directory, name), text)
}

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
