import { describe, expect, it } from 'vitest'
import { withRecent } from './recent-pages.ts'

const page = (href: string, title = href) => ({ href, title })

describe('withRecent', () => {
  it('puts the newest on top, each address once and with its newest title', () => {
    const pages = [page('/acme/a'), page('/acme/b', 'Old')]
    expect(withRecent(pages, page('/acme/b', 'New'))).toEqual([
      page('/acme/b', 'New'),
      page('/acme/a'),
    ])
  })

  it('forgets what was looked at long ago', () => {
    const many = Array.from({ length: 12 }, (_, at) => page(`/acme/${at}`))
    const kept = many.reduce<readonly { href: string; title: string }[]>(withRecent, [])
    expect(kept).toHaveLength(8)
    expect(kept[0]?.href).toBe('/acme/11')
  })
})
