import { describe, expect, it } from 'vitest'
import {
  findIssueKeys,
  isTakenBack,
  keepKeyLines,
  type IssueText,
  type KeyReading,
} from './issue-keys.ts'
import { grammarOf } from '../../providers/issue-keys/issue-grammars.ts'

const reading: KeyReading = {
  grammar: grammarOf(undefined),
  tracked: new Set(['ABC', 'PROJ', 'WEB2']),
  repository: null,
}
const untracked: KeyReading = { ...reading, tracked: null }
const sha = (digit: string) => digit.repeat(40)
const commit = (text: string, of: string | null = null): IssueText => ({
  source: 'commit',
  sha: of,
  text,
})
const keysIn = (...texts: (string | IssueText)[]) =>
  findIssueKeys(
    texts.map((text) => (typeof text === 'string' ? commit(text) : text)),
    reading,
  ).keys.map(({ key }) => key)
const find = (key: string, ...texts: IssueText[]) =>
  findIssueKeys(texts, reading).keys.find((found) => found.key === key)

describe('keys of issues at another host than the code', () => {
  const grammar = grammarOf('github-issues')
  const repository = { fullName: 'acme/shop', url: 'https://code.example.com/acme/shop' }
  const text = 'Merge #7, for acme/plans#12 and https://github.com/acme/plans/issues/13'
  const keys = (areElsewhere: boolean) =>
    findIssueKeys([commit(text)], { grammar, tracked: null, repository, areElsewhere }).keys.map(
      ({ key }) => key,
    )

  it('name their repository, because a number alone is the code host’s', () => {
    expect(keys(true)).toEqual(['acme/plans#12', 'acme/plans#13'])
    expect(keys(false)).toEqual(['acme/shop#7', 'acme/plans#12'])
  })
})

describe('findIssueKeys', () => {
  it('finds each tracked key once, in the order of first mention', () => {
    expect(keysIn('WEB2-7: fix, see ABC-123 and WEB2-7', 'ABC-123 again, PROJ-1')).toEqual([
      'WEB2-7',
      'ABC-123',
      'PROJ-1',
    ])
  })

  it('finds no key in what only looks like one', () => {
    const corpus =
      'UTF-8 SHA-256 CVE-2024-1 COVID-19 HTTP-2 NODE-20 MY_PROJ-7 ABC-0 ABC-07 XABC-1 ABC-1x ABC-3.4 ABC-3.x abc-1 ABC- ABC-1234567890'
    expect(keysIn(...corpus.split(' '), corpus)).toEqual([])
  })

  it('control: without the tracked projects the corpus is full of keys', () => {
    const corpus = 'UTF-8 SHA-256 CVE-2024-1 COVID-19 HTTP-2 NODE-20 MY_PROJ-7'
    const { keys } = findIssueKeys([commit(corpus)], untracked)
    expect(keys).toHaveLength(7)
    expect(keys.map(({ key }) => key)).toContain('MY_PROJ-7')
  })

  it('names what it ignored, and why', () => {
    expect(findIssueKeys([commit('Use UTF-8 for ABC-1')], reading).ignored).toEqual([
      { key: 'UTF-8', reason: 'Its project is not tracked.' },
    ])
  })

  it('finds keys between brackets, slashes, hyphens and letters of other scripts', () => {
    expect(keysIn('[ABC-1] (ABC-2) x/ABC-3-login ABC-4, ABC-5: "ABC-6" éABC-7é')).toHaveLength(7)
  })

  it('ignores case in the names of branches alone', () => {
    expect(keysIn({ source: 'branch', sha: null, text: 'feature/abc-12-login' })).toEqual([
      'ABC-12',
    ])
    expect(keysIn('feature/abc-12-login')).toEqual([])
    const branch: IssueText = { source: 'branch', sha: null, text: 'upgrade-node-20' }
    expect(findIssueKeys([branch], untracked).keys).toEqual([])
  })

  it('keeps where it read a key: the source, the commit and the line', () => {
    const message = 'Add login\n\n  Closes ABC-5 at last  \nABC-5'
    expect(find('ABC-5', commit(message, sha('a')))?.evidence).toEqual([
      { source: 'commit', sha: sha('a'), text: 'Closes ABC-5 at last', isRevert: false },
    ])
  })

  it('keeps five hundred keys, and names each of the others', () => {
    const named = (project: string) =>
      Array.from({ length: 510 }, (_, at) => `${project}-${at + 1}`).join(' ')
    const found = findIssueKeys(
      [commit(`${named('ABC')} ${named('UTF')}`), commit('ABC-1')],
      reading,
    )
    expect([found.keys.length, found.ignored.length]).toEqual([500, 500])
    expect(found.keys[0]?.evidence).toHaveLength(2)
    expect(found.notLookedUp).toEqual(
      ['UTF', 'ABC'].flatMap((project) =>
        Array.from({ length: 10 }, (_, at) => `${project}-${at + 501}`),
      ),
    )
  })

  it('names five thousand others, whatever a thousand commits hold', () => {
    const commits = Array.from({ length: 1_000 }, (_, nth) =>
      commit(Array.from({ length: 10 }, (_each, at) => `ABC-${nth * 10 + at + 1}`).join(' ')),
    )
    expect(findIssueKeys(commits, reading).notLookedUp).toHaveLength(5_000)
    expect(findIssueKeys(commits, reading, Infinity).notLookedUp).toHaveLength(9_500)
  })

  it('reads 64 KiB of a text, and makes no shorter key at the cut', () => {
    const filler = ' '.repeat(64 * 1024 - 6)
    expect(keysIn(`${filler}ABC-12`)).toEqual(['ABC-12'])
    expect(keysIn(`${filler}ABC-1234`)).toEqual([])
    expect(keysIn(`${'é'.repeat(32 * 1024)} ABC-1`)).toEqual([])
  })
})

describe('reverts', () => {
  const added = commit('ABC-5 Add login', sha('a'))
  const takenBack = (...texts: IssueText[]) => isTakenBack(find('ABC-5', ...texts)?.evidence ?? [])

  it('take back the keys of the subject they quote, and not those that say why', () => {
    const revert = commit('Revert "ABC-5 Add login"\n\nABC-9 it broke', sha('b'))
    expect(takenBack(revert)).toBe(true)
    expect(isTakenBack(find('ABC-9', revert)?.evidence ?? [])).toBe(false)
  })

  it('take back the keys of the commit they name, though they name no key', () => {
    const revert = commit(`Back out\n\nThis reverts commit ${sha('a')}.`, sha('b'))
    expect(takenBack(added, revert)).toBe(true)
  })

  it('count by the last mention: what comes back is shipped', () => {
    const revert = commit('Revert "ABC-5 Add login"', sha('b'))
    expect(takenBack(added, revert)).toBe(true)
    expect(takenBack(added, revert, commit('ABC-5 Add login, better', sha('c')))).toBe(false)
    expect(takenBack(revert, commit('Revert "Revert "ABC-5 Add login""', sha('c')))).toBe(false)
  })

  it('are not undone by the name of a branch', () => {
    const branch: IssueText = { source: 'branch', sha: null, text: 'revert-ABC-5' }
    expect(takenBack(commit('Revert "ABC-5 Add login"', sha('b')), branch)).toBe(true)
  })

  it('count however often a key was named before', () => {
    const often = Array.from({ length: 40 }, (_, at) => commit(`ABC-5 part ${at}`, `${at}`))
    expect(takenBack(...often, commit('Revert "ABC-5 part 39"', sha('f')))).toBe(true)
  })
})

describe('a number that is the text of a link by a label', () => {
  const repository = { fullName: 'acme/shop', url: 'https://github.com/acme/shop' }
  const of = { grammar: grammarOf('github-issues'), tracked: null, repository }
  const read = (text: string) => findIssueKeys([commit(text)], of).keys.map(({ key }) => key)
  const issue = 'https://github.com/acme/shop/issues/13'

  it.each([
    [`See [#12][1]\n\n[1]: ${issue}`, ['acme/shop#13']],
    [`See [#12][]\n\n[#12]: ${issue}`, ['acme/shop#13']],
    [`See [#12]\n\n[#12]: <${issue}> "Title"`, ['acme/shop#13']],
    [`See [the fix of #12][Fix]\n\n  [fix]: ${issue}`, ['acme/shop#13']],
    [`See [#12][1], not [#14][2]\n\n[1]: https://github.com/acme/shop/pull/12`, ['acme/shop#14']],
    // Controls: without a meaning the label is no link, and brackets are brackets.
    ['See [#12][1]', ['acme/shop#12']],
    [`See [#12][#14]\n\n[1]: ${issue}`, ['acme/shop#12', 'acme/shop#14', 'acme/shop#13']],
  ])('means what the label points at: %j', (text, keys) => {
    expect(read(text)).toEqual(keys)
    expect(read(keepKeyLines(text, repository) ?? '')).toEqual(keys)
  })
})

describe('findIssueKeys is linear', () => {
  it('reads a thousand commits of 64 KiB that are made to be slow', () => {
    const size = 64 * 1024
    const hostile = ['A', 'A-', 'AB_', 'ABC-1', '-1', 'Revert "', 'This reverts commit a\n', '\n']
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(size / part.length)).slice(0, size)
      const all = Array.from({ length: 125 }, () => commit(text))
      expect(findIssueKeys(all, reading).keys.length).toBeLessThanOrEqual(1)
    }
  })
})

describe('what is kept of a text', () => {
  it.each([
    ['Add login\n\nCloses ABC-1\nand more', 'Add login\nCloses ABC-1'],
    [
      'Revert "ABC-1 Add login"\n\nThis reverts commit aa.',
      'Revert "ABC-1 Add login"\nThis reverts commit aa.',
    ],
    ['Add login', undefined],
    ['', undefined],
  ])('of %j are the lines that name keys', (text, kept) => {
    expect(keepKeyLines(text, null)).toBe(kept)
  })

  it('names the same keys as the text, however long its lines are', () => {
    const keys = Array.from({ length: 200 }, (_, at) => `ABC-${at + 1}`)
    const texts = [
      `{"filler":"${'x '.repeat(3_000)}","issues":["${keys.join('","')}"]}`,
      `Revert "${'y'.repeat(147)}ABC-123 ${'x'.repeat(400)}"`,
      keys.join('\n'),
      `${'z'.repeat(141)} ABC-12 PROJ-7${'w'.repeat(300)} WEB2-1`,
    ]
    for (const text of texts) {
      const kept = keepKeyLines(text, null) ?? ''
      expect(kept.length).toBeLessThan(2_000)
      expect(keysIn(kept)).toEqual(keysIn(text))
    }
  })
})
