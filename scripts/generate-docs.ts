/** Rewrites the generated pages, those of `docs/reference/` and the one the service serves. `test/reference.test.ts` keeps them current. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderReferencePages } from './docs/reference-pages.ts'

const root = join(import.meta.dirname, '..')

for (const [path, text] of renderReferencePages()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}
