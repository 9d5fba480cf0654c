import { slug } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { isReservedSlug, toOtherSlug, toSlug } from './slug.ts'

describe('toSlug', () => {
  it('keeps letters and digits and joins the rest', () => {
    expect(toSlug('Acme Inc.')).toBe('acme-inc')
    expect(toSlug('  Żółw & Söhne GmbH ')).toBe('zolw-sohne-gmbh')
    expect(toSlug('日本')).toBe('organization')
  })

  it('always makes a valid slug', () => {
    for (const name of ['-', '--a--', 'x'.repeat(100), `${'x'.repeat(62)} y`, '\u{1F600}', 'A_B']) {
      expect(slug.safeParse(toSlug(name)).success).toBe(true)
      const other = toOtherSlug(toSlug(name), 'org_01jd2m4x9k0000000000000000')
      expect(slug.safeParse(other).success).toBe(true)
    }
  })
})

describe('a slug', () => {
  it.each(['organizations', 'docs', 'webhooks', 'assets', 'login', 'setup'])(
    'is not %s, with which other addresses begin',
    (word) => expect(isReservedSlug(word)).toBe(true),
  )

  it('is anything else', () => {
    expect(isReservedSlug('acme')).toBe(false)
  })
})
