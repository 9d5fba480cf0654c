// P10: what a browser downloads for the client. The check enforces it; this writes the figure down.
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from '../packages/config/src/testing/bundle.ts'
import { recordResult } from './record.ts'

const budgetBytes = 1_500
const code = await bundleForBrowser("export { createConfigClient } from '@signalbox/config/client'")
const gzipBytes = gzipSync(code, { level: 9 }).length

recordResult({
  figure: 'P10',
  what: 'browser core of the client, minified and compressed (the bindings come later)',
  reach: `<= ${budgetBytes} bytes`,
  found: `${gzipBytes} bytes`,
  reached: gzipBytes <= budgetBytes,
  measured: { minifiedBytes: code.length, gzipBytes },
})
