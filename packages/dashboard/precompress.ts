import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Texts; fonts are compressed already. */
const compressible = /\.(?:js|css|html|svg)$/

/** Writes `name.br` and `name.gz` beside each text of the build, so that the server compresses nothing. */
export function precompress(): Plugin {
  let directory = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ build }) => {
      directory = build.outDir
    },
    closeBundle: async () => {
      const names = await readdir(directory, { recursive: true })
      await Promise.all(
        names.filter((name) => compressible.test(name)).map((name) => compress(directory, name)),
      )
    },
  }
}

async function compress(directory: string, name: string): Promise<void> {
  const path = join(directory, name)
  const text = await readFile(path)
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(text),
    promisify(gzip)(text, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)])
}
