import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

  it('are all that docs/reference holds', () => {
    const found = readdirSync(join(root, 'docs/reference')).map((name) => `docs/reference/${name}`)
    const generated = [...pages.keys()].filter((path) => path.startsWith('docs/reference/'))
    expect(found.sort()).toEqual(generated.sort())
  })
})
