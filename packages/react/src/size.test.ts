import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleForBrowser, bundlers } from '../../config/src/testing/bundle.ts'

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length
const names = 'ConfigProvider, usePublicConfig, useFeatureFlag, useConfigStatus'
const bundleBesideReact = (code: string) => bundleForBrowser(code, ['react'])

/** P10: what a browser downloads for the provider, the hooks and the client below them, minified and compressed. */
const budgetBytes = 1_800

describe('the bindings in a browser', () => {
  const entry = `export { ${names} } from '@signalbox/react'`
  const code = bundleBesideReact(entry)

  it.each(bundlers)(
    `take at most ${budgetBytes} bytes of $name, with the client`,
    async ({ bundle }) => {
      expect(sizeOf(await bundle(entry, ['react']))).toBeLessThanOrEqual(budgetBytes)
    },
  )

  it('control: with the client of an application as well they take more', async () => {
    const both = await bundleBesideReact(
      `export { ${names} } from '@signalbox/react'
export { createConfigClient } from '@signalbox/config/client'`,
    )
    expect(sizeOf(both)).toBeGreaterThan(budgetBytes)
  })

  it('import nothing but React', async () => {
    const imported = [...(await code).matchAll(/from\s*"([^"]+)"/g)].map(([, name]) => name)
    expect(imported).toEqual(['react'])
    expect(await code).not.toMatch(/~standard|node:|require\(/)
  })
})
