/** Rewrites the pages of `docs/reference/` from the tables in the code. `test/reference.test.ts` keeps them current. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderReferencePages } from './docs/reference-pages.ts'

const root = join(import.meta.dirname, '..')

for (const [path, text] of renderReferencePages()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}
