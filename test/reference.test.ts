import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderReferencePages } from '../scripts/docs/reference-pages.ts'
import { root } from './architecture/source-files.ts'

const pages = renderReferencePages()

describe('generated pages', () => {
  it.each([...pages])(
    '%s is what its source says; run npm run docs after a change',
    (path, text) => {
      expect(readFileSync(join(root, path), 'utf8')).toBe(text)
    },
  )

  it.each(['docs/reference', 'packages/server/assets/docs'])('are all that %s holds', (folder) => {
    const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    const generated = [...pages.keys()].filter((path) => path.startsWith(`${folder}/`))
    expect(found.sort()).toEqual(generated.sort())
  })
})
