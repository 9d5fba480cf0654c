import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleForBrowser } from '../../config/src/testing/bundle.ts'

const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length
const names = 'ConfigProvider, usePublicConfig, useFeatureFlag, useConfigStatus'
const bundle = (code: string) => bundleForBrowser(code, ['react'])

/** P10: what a browser downloads for the provider, the hooks and the client below them, minified and compressed. */
const budgetBytes = 1_800

describe('the bindings in a browser', () => {
  const code = bundle(`export { ${names} } from '@signalbox/react'`)

  it(`take at most ${budgetBytes} bytes, with the client`, async () => {
    expect(sizeOf(await code)).toBeLessThanOrEqual(budgetBytes)
  })

  it('control: with the client of an application as well they take more', async () => {
    const both = await bundle(
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
