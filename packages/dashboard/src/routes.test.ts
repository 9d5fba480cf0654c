import { pageIds, pages, toHref, type PageId } from '@signalbox/contract'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { destinations } from './shell/navigation.ts'

/** The table of screens; it is read as a text, because loading it loads the screens. */
const table = readFileSync(new URL('routes.tsx', import.meta.url), 'utf8')

/** Returns the pages that a table of routes leaves out, names twice or puts elsewhere. */
function misroutedPages(text: string): PageId[] {
  const makers = { organization: 'screen', person: 'ofPerson', nobody: 'ofNobody' } as const
  const routes = [...text.matchAll(/(\w+)\(\s*pages\.(\w+),/g)]
  return pageIds.filter((id) => {
    const found = routes.filter(([, , page]) => page === id).map(([, maker]) => maker)
    return found.length !== 1 || found[0] !== makers[pages[id].of]
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
    expect(misroutedPages(table.replace('pages.audit,', 'pages.members,'))).toEqual([
      'members',
      'audit',
    ])
    const elsewhere = table.replace('ofPerson(pages.account', 'screen(pages.account')
    expect(misroutedPages(elsewhere)).toEqual(['account'])
  })

  it('of an organization stands in the sidebar by its address, but for pages of one thing', () => {
    expect(missingEntries(listed)).toEqual([])
    const broken = new Map([...listed, ['keys', '/$org/key'] as const])
    broken.delete('flags')
    expect(missingEntries(broken)).toEqual(['flags', 'keys'])
  })
})

it('every route reads of its address what it knows, and nothing else', () => {
  const readers = [...table.matchAll(/validateSearch: (.*),/g)].map(([, reader]) => reader)
  expect(readers).toHaveLength(2)
  expect(readers.filter((reader) => !reader?.startsWith('onlyKnown('))).toEqual([])
  // The shells around screens read nothing.
  const silent = table.split('createRoute({').filter((route) => !route.includes('validateSearch'))
  expect(silent.slice(1)).toHaveLength(2)
})
