import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleForBrowser, bundlers } from '../../../config/src/testing/bundle.ts'

/** Holds what Next.js has in every page. */
const external = ['react', 'react/jsx-runtime']
const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length

/** P10: what a browser downloads for provider and hooks, with the client in them, minified and compressed. */
const budgetBytes = 2_000

describe('the bindings in a browser', () => {
  const entry =
    "export { ConfigProvider, useConfigStatus, useFeatureFlag, usePublicConfig } from '@signalbox/next'"
  const code = bundleForBrowser(entry, external)

  it.each(bundlers)(
    `take at most ${budgetBytes} bytes of $name, with the client`,
    async ({ bundle }) => {
      expect(sizeOf(await bundle(entry, external))).toBeLessThanOrEqual(budgetBytes)
    },
  )

  it('control: the client is in them', async () => {
    expect(await code).toContain('visibilitychange')
    const client = await bundleForBrowser(
      "export { createConfigClient } from '@signalbox/config/client'",
    )
    expect(sizeOf(await code)).toBeGreaterThan(sizeOf(client))
  })

  it('hold no validator, no key of a server and nothing of Node', async () => {
    expect(await code).not.toMatch(/~standard|node:|require\(|SIGNALBOX_|m2m_/)
  })
})

describe('a browser build fails', () => {
  it.each(['getConfig', 'getServerConfig', 'Secrets'])(
    'for %s of @signalbox/next/server, and names the reason',
    async (name) => {
      const build = bundleForBrowser(
        `import { ${name} } from '@signalbox/next/server'\nconsole.log(${name})`,
        external,
      )
      const reason = 'server-is-not-for-browsers'
      await expect(build).rejects.toThrow(new RegExp(`${name}.*${reason}|${reason}.*${name}`, 's'))
    },
  )
})
