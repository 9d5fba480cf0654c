// P10: what a browser downloads for the client and the bindings. The check enforces it; this writes the figures down.
import { gzipSync } from 'node:zlib'
import { bundlers } from '../packages/config/src/testing/bundle.ts'
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
    name: 'Next.js binding with its core',
    code: `export { ${hooks} } from '@signalbox/next'`,
    budgetBytes: 2_000,
  },
  {
    name: 'preload',
    code: "export { preloadConfig } from '@signalbox/vite/client'",
    budgetBytes: 350,
  },
]
const measured = await Promise.all(
  parts.map(async ({ code, ...part }) => {
    const sizes = await Promise.all(
      bundlers.map(async ({ name, bundle }) => {
        const minified = await bundle(code, ['react', 'react/jsx-runtime'])
        return [name, gzipSync(minified, { level: 9 }).length] as const
      }),
    )
    const gzipBytes = Math.max(...sizes.map(([, bytes]) => bytes))
    return { ...part, gzipBytes, bundlers: Object.fromEntries(sizes) }
  }),
)

recordResult({
  figure: 'P10',
  what: 'what a browser downloads, minified and compressed, the larger of rolldown and esbuild',
  reach: measured.map(({ name, budgetBytes }) => `${name} <= ${budgetBytes} bytes`).join(', '),
  found: measured.map(({ name, gzipBytes }) => `${name} ${gzipBytes} bytes`).join(', '),
  reached: measured.every(({ gzipBytes, budgetBytes }) => gzipBytes <= budgetBytes),
  measured: { parts: measured },
})
