/**
 * Writes the tables of permissions into the guide where a provider asks for something else now, and then the pages that the
 * service serves into the folder of the first argument.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listOutdatedTables, renderServedPages } from './docs/served-pages.ts'

const [, , folder = ''] = process.argv

for (const [path, text] of listOutdatedTables()) writeFileSync(path, text)
for (const [address, text] of renderServedPages()) {
  const path = join(folder, address)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
