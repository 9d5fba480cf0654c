import { pageIds, pages, toHref, type PageId } from '@signalbox/contract'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { destinations } from './shell/navigation.ts'

/** The table of screens; it is read as a text, because loading it loads the screens. */
const table = readFileSync(new URL('routes.tsx', import.meta.url), 'utf8')

/** Returns the pages that a table of routes leaves out, names twice or puts elsewhere. */
function misroutedPages(text: string): PageId[] {
  const parents = { organization: 'organization', person: 'person', nobody: 'root' } as const
  return pageIds.filter((id) => {
    const route = `getParentRoute: () => ${parents[pages[id].of]},\n  path: pages.${id}.path,`
    return text.split(route).length !== 2
  })
}

/** Returns the pages of an organization that lead to one thing, and those that the sidebar lacks beside them. */
const listed = new Map(destinations.flat().map(({ page, to }) => [page, to]))
const missingEntries = (entries: ReadonlyMap<PageId, string>) =>
  pageIds.filter(
    (id) =>
      pages[id].of === 'organization' &&
      !pages[id].path.includes('$') &&
      `${entries.get(id)}/`.replace(/\/+$/, '') !==
        `/$org${toHref({ page: id })}`.replace(/\/$/, ''),
  )

describe('every page of the contract', () => {
  it('has a route, once, below whose page it is', () => {
    expect(misroutedPages(table)).toEqual([])
    expect(misroutedPages(table.replace('pages.audit.path', "'/audit'"))).toEqual(['audit'])
  })

  it('of an organization stands in the sidebar by its address, but for pages of one thing', () => {
    expect(missingEntries(listed)).toEqual([])
    const broken = new Map([...listed, ['keys', '/$org/key'] as const])
    broken.delete('flags')
    expect(missingEntries(broken)).toEqual(['flags', 'keys'])
  })
})

it('every screen that reads its address sees what it knows of it, and nothing else', () => {
  const readers = [...table.matchAll(/validateSearch: (.*),/g)].map(([, reader]) => reader)
  expect(readers.length).toBeGreaterThan(10)
  expect(readers.filter((reader) => !reader?.startsWith('onlyKnown('))).toEqual([])
})
