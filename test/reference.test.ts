import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderReferencePages } from '../scripts/docs/reference-pages.ts'
import { root } from './architecture/source-files.ts'

const pages = renderReferencePages()

describe('docs/reference', () => {
  it.each([...pages])('%s is what the code says; run npm run docs after a change', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  })

  it('holds nothing else', () => {
    const found = readdirSync(join(root, 'docs/reference')).map((name) => `docs/reference/${name}`)
    expect(found.sort()).toEqual([...pages.keys()].sort())
  })
})
