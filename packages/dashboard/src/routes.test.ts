import { pagePaths } from '@signalbox/contract'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Of the table of screens; it is read as a text, because loading it loads the screens. */
const table = readFileSync(new URL('routes.tsx', import.meta.url), 'utf8')

it('no page without an organization has an address that a slug could be', () => {
  const ofNoOrganization = [
    ...table.matchAll(/getParentRoute: \(\) => (?:root|person),\s*path: '\/([a-z]+)'/g),
  ]
  expect(new Set(ofNoOrganization.map(([, path]) => path))).toEqual(new Set<string>(pagePaths))
})

it('every screen that reads its address sees what it knows of it, and nothing else', () => {
  const readers = [...table.matchAll(/validateSearch: (.*),/g)].map(([, reader]) => reader)
  expect(readers.length).toBeGreaterThan(10)
  expect(readers.filter((reader) => !reader?.startsWith('onlyKnown('))).toEqual([])
})
