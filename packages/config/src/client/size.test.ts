import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleForBrowser, bundlers } from '../testing/bundle.ts'

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length

/** P10: what a browser downloads for the client, minified and compressed. */
const budgetBytes = 1_500

describe('the client in a browser', () => {
  const entry = "export { createConfigClient } from '@signalbox/config/client'"

  it.each(bundlers)(`takes at most ${budgetBytes} bytes of $name`, async ({ bundle }) => {
    expect(sizeOf(await bundle(entry))).toBeLessThanOrEqual(budgetBytes)
  })

  it('control: the one for servers takes more', async () => {
    const portable = await bundleForBrowser(
      `export { createConfigClient } from '${import.meta.dirname}/portable.ts'`,
    )
    expect(sizeOf(portable)).toBeGreaterThan(budgetBytes)
  })

  it('holds no validator and nothing of Node', async () => {
    expect(await bundleForBrowser(entry)).not.toMatch(/~standard|node:|require\(/)
  })
})

describe('a browser build fails', () => {
  it.each([
    ['@signalbox/config', 'defineConfig', 'definition-is-not-for-browsers'],
    ['@signalbox/config', 'string', 'definition-is-not-for-browsers'],
    ['@signalbox/config/server', 'createDiskStorage', 'server-is-not-for-browsers'],
  ])('for a value of %s (%s), and names the reason', async (entry, name, reason) => {
    const build = bundleForBrowser(`import { ${name} } from '${entry}'\nconsole.log(${name})`)
    await expect(build).rejects.toThrow(new RegExp(`${name}.*${reason}|${reason}.*${name}`, 's'))
  })
})
