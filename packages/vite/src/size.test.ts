import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleForBrowser, bundlers } from '../../config/src/testing/bundle.ts'

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length

/** P10: what a browser downloads for `preloadConfig`, minified and compressed. */
const budgetBytes = 350

describe('preloadConfig in a browser', () => {
  const entry = "export { preloadConfig } from '@signalbox/vite/client'"

  it.each(bundlers)(`takes at most ${budgetBytes} bytes of $name`, async ({ bundle }) => {
    expect(sizeOf(await bundle(entry))).toBeLessThanOrEqual(budgetBytes)
  })

  it('control: with the client it would take more', async () => {
    const both = await bundleForBrowser(
      "export { preloadConfig } from '@signalbox/vite/client'\nexport { createConfigClient } from '@signalbox/config/client'",
    )
    expect(sizeOf(both)).toBeGreaterThan(budgetBytes)
  })
})
