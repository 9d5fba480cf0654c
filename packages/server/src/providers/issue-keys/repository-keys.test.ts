import { describe, expect, it } from 'vitest'
import { createRepositoryKeys } from './repository-keys.ts'
import type { KeyScope } from '../tracker.ts'

const grammar = createRepositoryKeys({
  issuesPaths: ['issues', '-/issues'],
  host: 'code.example.com',
  aliases: ['GH-'],
})
const place = (fullName: string | null, more: Partial<KeyScope> = {}): KeyScope => ({
  source: 'commit',
  repository: fullName === null ? null : { fullName, url: `https://code.example.com/${fullName}` },
  tracked: null,
  ...more,
})
const keysIn = (text: string, where = place('Acme/Shop')) =>
  grammar.findKeys(text, where).map(({ key }) => key)

describe('keys that are relative to a repository', () => {
  it.each([
    '#12',
    'GH-12',
    'acme/shop#12',
    'ACME/Shop#12',
    'https://code.example.com/acme/shop/issues/12',
  ])('say %s for the same issue in its repository', (text) => {
    expect(keysIn(`Fix it (${text}), at last`)).toEqual(['acme/shop#12'])
  })

  it('mean another issue in another repository', () => {
    expect(keysIn('Closes #12', place('acme/api'))).toEqual(['acme/api#12'])
    expect(keysIn('Closes acme/shop#12', place('acme/api'))).toEqual(['acme/shop#12'])
  })

  it('mean nothing in a text of no repository, unless they name it', () => {
    expect(keysIn('#12 GH-13 acme/shop#14', place(null))).toEqual(['acme/shop#14'])
  })

  it('are no numbers of other things', () => {
    const corpus =
      '#0 #012 #12a #a12 &#39; ##12 a#12 shop#12 #1234567890 x/#12 GH-0 xGH-12 gh-12 https://code.example.com/acme/shop/pull/12'
    expect(corpus.split(' ').flatMap((text) => keysIn(text))).toEqual([])
    expect(keysIn(corpus)).toEqual([])
  })

  it('are addresses at the host of the repository alone', () => {
    const text =
      'https://other.example.com/acme/shop/issues/12 https://code.example.com/a/b/issues/3#comment-4'
    expect(keysIn(text)).toEqual(['a/b#3'])
    const elsewhere = { fullName: 'acme/shop', url: 'https://other.example.com/acme/shop' }
    expect(keysIn(text, place(null, { repository: elsewhere }))).toEqual(['acme/shop#12'])
  })

  it('are addresses below the path at which the host is, and no others', () => {
    const url = 'https://code.example.com/git/acme/shop'
    const where = place(null, { repository: { fullName: 'acme/shop', url } })
    const text = 'https://code.example.com/git/acme/tools/cli/-/issues/3'
    expect(keysIn(text, where)).toEqual(['acme/tools/cli#3'])
    expect(keysIn('https://code.example.com/wiki/acme/shop/issues/3', where)).toEqual([])
    expect(keysIn('https://code.example.com/git/issues/3', where)).toEqual([])
  })

  it('stand in the names of branches that a host makes for an issue', () => {
    const branch = (name: string) => keysIn(name, place('acme/shop', { source: 'branch' }))
    expect(branch('12-fix-the-login')).toEqual(['acme/shop#12'])
    expect(branch('ada/12-fix-the-login')).toEqual(['acme/shop#12'])
    expect(branch('fix/gh-12')).toEqual(['acme/shop#12'])
    expect(['2024-01-release', 'v12-next', 'node-20', '12'].flatMap(branch)).toEqual([])
  })

  it('are read the same again as they stand in the text', () => {
    const text = `#12, GH-13; acme/api#14 https://code.example.com/acme/api/issues/15`
    const mentions = grammar.findKeys(text, place('acme/shop'))
    expect(mentions).toHaveLength(4)
    for (const { key, text: again } of mentions) expect(keysIn(again)).toEqual([key])
  })

  it('have the repository in their name, and are typed as they are stored', () => {
    expect(grammar.containerOf('acme/group/shop#12')).toBe('acme/group/shop')
    expect(grammar.toKey('Acme/Shop#12')).toBe('acme/shop#12')
    expect([grammar.toKey('#12'), grammar.toKey('ABC-12')]).toEqual([undefined, undefined])
  })
})

describe('the search for them', () => {
  const size = 64 * 1024
  const hostile = [
    'a',
    'a/',
    'a/a',
    '#',
    '#1',
    'a#',
    'https://',
    'https://a/',
    'GH-',
    '1-',
    'a.b/',
    '-',
    '/',
  ]

  it.each(hostile)('takes 64 KiB of %j without going back', (part) => {
    const text = part.repeat(Math.ceil(size / part.length)).slice(0, size)
    expect(keysIn(`${text} #12`).at(-1)).toBe('acme/shop#12')
  })
})
