// P10: what a browser downloads for the client and the bindings. The check enforces it; this writes the figures down.
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from '../packages/config/src/testing/bundle.ts'
import { recordResult } from './record.ts'

const hooks = 'ConfigProvider, usePublicConfig, useFeatureFlag, useConfigStatus'
const parts = [
  {
    name: 'browser core',
    code: "export { createConfigClient } from '@signalbox/config/client'",
    budgetBytes: 1_500,
  },
  {
    name: 'React binding with its core',
    code: `export { ${hooks} } from '@signalbox/react'`,
    budgetBytes: 1_800,
  },
  {
    name: 'preload',
    code: "export { preloadConfig } from '@signalbox/vite/client'",
    budgetBytes: 350,
  },
]
const measured = await Promise.all(
  parts.map(async ({ code, ...part }) => {
    const bundle = await bundleForBrowser(code, ['react'])
    const gzipBytes = gzipSync(bundle, { level: 9 }).length
    return { ...part, minifiedBytes: bundle.length, gzipBytes }
  }),
)

recordResult({
  figure: 'P10',
  what: 'what a browser downloads, minified and compressed',
  reach: measured.map(({ name, budgetBytes }) => `${name} <= ${budgetBytes} bytes`).join(', '),
  found: measured.map(({ name, gzipBytes }) => `${name} ${gzipBytes} bytes`).join(', '),
  reached: measured.every(({ gzipBytes, budgetBytes }) => gzipBytes <= budgetBytes),
  measured: { parts: measured },
})
