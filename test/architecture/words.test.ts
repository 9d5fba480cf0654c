import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idKinds } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import {
  brokenVerbs,
  contradictedWords,
  fileNameFaults,
  forbiddenNames,
  misnamedErrors,
  readForbiddenWords,
  repeatedWords,
  unusedWords,
} from './name-rules.ts'
import { privateNames } from './private-names.ts'
import { riddlingComments, sentenceFaults } from './sentence-rules.ts'
import {
  parseSource,
  readFilesBeside,
  readSourceFiles,
  root,
  showFindings,
} from './source-files.ts'

const files = readSourceFiles()
const vocabulary = readFileSync(join(root, 'docs/vocabulary.md'), 'utf8')
const forbiddenWords = readForbiddenWords(vocabulary)

const server = 'packages/server/src'
const source = (path: string, ...lines: string[]) => parseSource(path, lines.join('\n'))

describe('names are those of the vocabulary', () => {
  it('in every file', () => {
    expect(showFindings(files.flatMap(fileNameFaults))).toEqual([])
    expect(forbiddenWords.size).toBeGreaterThan(10)
    // Foreign payloads keep their own spelling: in the sandbox, and where the service translates them.
    const foreign =
      /^(?:bench\/peers|packages\/(?:sandbox|server\/src\/providers\/(?!chat\/|webhooks\/)[a-z]+))\//
    const ours = files.filter(({ path }) => !foreign.test(path))
    const named = ours.flatMap((file) => forbiddenNames(file, forbiddenWords))
    expect(showFindings(named)).toEqual([])
  })

  it('which defines each word once, and lists the kinds of ids', () => {
    expect(repeatedWords(vocabulary)).toEqual([])
    expect(contradictedWords(vocabulary)).toEqual([])
    expect(unusedWords(vocabulary, files)).toEqual([])
    const [, listed = ''] = /^Ids carry their kind: (.*)\.$/m.exec(vocabulary) ?? []
    expect(listed).toBe(idKinds.map((kind) => `\`${kind}_\``).join(' '))
  })

  it('control: a word that is defined twice is found', () => {
    const rows = [
      '| `one` `two` | a | |',
      '| three | b | `one` |',
      '| `two` | c | |',
      '| three | d | |',
    ]
    expect(repeatedWords(rows.join('\n'))).toEqual(['two', 'three'])
  })

  it('control: a word that is defined and forbidden, and one that nothing is named by, are found', () => {
    const rows = [
      '| Word | Means | Not |',
      '|---|---|---|',
      '| `one` | a | |',
      '| `snapshotStore` | b | `one` |',
    ]
    expect(contradictedWords(rows.join('\n'))).toEqual(['one'])
    const stored = source(`${server}/snapshot-store.ts`, 'export {}')
    expect(unusedWords(rows.join('\n'), [stored])).toEqual(['one'])
  })

  it('and whose verbs keep their promises', () => {
    expect(showFindings(files.flatMap(brokenVerbs))).toEqual([])
  })

  it('control: a get that finds nothing, a list that is none and a render that waits are found', () => {
    const broken = source(
      `${server}/x.ts`,
      'interface Rows { getRow(id: string): Promise<Row | undefined>; findRow(): Row | undefined }',
      'function listRows(): readonly Row[] | null {}',
      'function listNames(): readonly (string | undefined)[] {}',
      'async function renderRow(): Promise<string> {}',
    )
    expect(brokenVerbs(broken).map(({ detail }) => detail.split(' ')[0])).toEqual([
      'getRow',
      'listRows',
      'renderRow',
    ])
  })

  it('control: a file named after no thing and a forbidden synonym are found', () => {
    expect(
      showFindings(
        ['configs/utils.ts', 'http/string-helpers.ts', 'configs/KeyService.ts', 'configs/rows.ts']
          .map((path) => source(`${server}/${path}`))
          .flatMap(fileNameFaults),
      ),
    ).toEqual([
      `${server}/configs/utils.ts:1 is named after no thing: say what it holds`,
      `${server}/http/string-helpers.ts:1 is named after no thing: say what it holds`,
      `${server}/configs/KeyService.ts:1 is not named in kebab-case`,
    ])
    const broken = source(
      `${server}/x.ts`,
      'const flag = foreign.toggle',
      'export function turn(featureToggles: string[]) {}',
    )
    expect(showFindings(forbiddenNames(broken, forbiddenWords))).toEqual([
      `${server}/x.ts:2 featureToggles: say flag, not toggle`,
    ])
  })
})

describe('a stranger understands names, exports and comments', () => {
  it.each([
    ['the sentence of an export begins with a verb and says more than the name', sentenceFaults],
    ['a name is one of the field', privateNames],
    ['an error calls itself what its class is called', misnamedErrors],
  ])('%s', (_, find) => {
    expect(showFindings(files.flatMap(find))).toEqual([])
  })

  it('a comment of any file, of a test or of the settings too, is no riddle', () => {
    const everyFile = [...files, ...readFilesBeside()]
    const paths = everyFile.map(({ path }) => path)
    for (const path of ['vitest.config.ts', 'test/architecture.test.ts', 'bench/record.ts'])
      expect(paths).toContain(path)
    expect(showFindings(everyFile.flatMap(riddlingComments))).toEqual([])
  })

  it('control: a short name without a sentence, and a sentence without a verb or a word of its own, are found', () => {
    const lines = [
      '/** Returns one. */',
      '// for the linter',
      'export const one = () => 1',
      'export const two = 2, three = 3',
      '/** Rows of a page. */',
      'export interface Rows { readonly a: 1 }',
      '// Names a thing.',
      'export class Thing {}',
      '/** Whether it is. */',
      'export function isIt(a: 1): true',
      'export function isIt(a: 2): true',
      'export type Inferred = z.infer<typeof one>',
      'const own = 1',
      "export { own } from './own.ts'",
      '/**',
      ' * Holds',
      ' * a thing.',
      ' */',
      'export type Held = 1',
      '/** Writes the run. */',
      'export const updateRun = () => one',
      '/** Writes the run, and its revision. */',
      'export const updateRunOnce = () => one',
    ]
    const find = (path: string) => showFindings(sentenceFaults(source(path, ...lines)))
    expect(find(`${server}/x.ts`)).toEqual([
      `${server}/x.ts:4 two has no sentence`,
      `${server}/x.ts:4 three has no sentence`,
      `${server}/x.ts:6 Rows: its sentence begins with no verb: Rows of a page.`,
      `${server}/x.ts:8 Thing has no sentence`,
      `${server}/x.ts:10 isIt: its sentence begins with no verb: Whether it is.`,
      `${server}/x.ts:21 updateRun: its sentence repeats the name`,
    ])
    expect(find(`${server}/x.test.ts`)).toEqual([])
  })

  it('control: a comment that begins with a question is found wherever it stands, and once', () => {
    const lines = [
      '// What it is,',
      '// Which goes on.',
      'const text = `// Who` // Whose it is.',
      'interface A {',
      '  /** Whether it is one. */',
      '  readonly a: 1',
      '}',
      '// Somewhat. What else?',
      'call(/* Who else */ 1)',
      '/* Whatever */',
      '/** How long it takes. */',
    ]
    for (const path of [`${server}/x.ts`, `${server}/x.test.ts`, 'bench/x.ts', 'vitest.config.ts'])
      expect(showFindings(riddlingComments(source(path, ...lines)))).toEqual([
        `${path}:1 a comment begins with What`,
        `${path}:3 a comment begins with Whose`,
        `${path}:5 a comment begins with Whether`,
        `${path}:9 a comment begins with Who`,
        `${path}:10 a comment begins with Whatever`,
        `${path}:11 a comment begins with How`,
      ])
  })

  it('control: a private word is found in any part of a name, a participle where it is the name', () => {
    const names = (...list: string[]) =>
      list.map((name) => privateNames(source(`${server}/x.ts`, `const ${name} = 1`)).length)
    expect(
      names('place', 'findPlaces', 'PlaceOf', 'keyRing', 'deadJob', 'heads', 'oldHead'),
    ).toEqual([1, 1, 1, 1, 1, 1, 1])
    expect(names('found', 'Given', 'isTold')).toEqual([1, 1, 1])
    expect(names('replace', 'placeholder', 'string', 'deadline', 'header', 'headSha')).toEqual([
      0, 0, 0, 0, 0, 0,
    ])
    expect(names('chainHead', 'foundAt', 'isGiven', 'askedAt')).toEqual([0, 0, 0, 0])
    expect(
      names('deadLetterQueue', 'deadQueue', 'roundTrip', 'rounds', 'lookUp', 'lookAt'),
    ).toEqual([0, 1, 0, 1, 0, 1])
    expect(names('takeTurns', 'PAIR_KEY', 'unlessTaken', 'turn', 'taken')).toEqual([1, 1, 1, 0, 0])
    const taken = (text: string) => privateNames(source(`${server}/x.ts`, text)).length
    expect([
      taken('const { a: found, b: [shown] } = c'),
      taken('const { found, shown } = c'),
    ]).toEqual([2, 0])
    expect(
      taken(
        'class A { #place = 1; #seen: string; get #room() { return 1 }; #keyPlaces() {}; #key = 2 }',
      ),
    ).toBe(4)
    const range = 'interface Range { base: string; head: string }'
    expect(privateNames(source(`${server}/x.ts`, range))).toEqual([])
    expect(privateNames(source(`${server}/x.ts`, 'interface A { hint: string }'))).toEqual([])
    expect(names('hint', 'outboxes', 'remedies')).toEqual([1, 1, 1])
    expect(privateNames(source(`${server}/x.test.ts`, 'const place = 1'))).toEqual([])
    const states = 'packages/dashboard/src/screens/webhooks/search.ts'
    expect(privateNames(source(states, 'const names = { dead: 1, place: 2 }'))).toHaveLength(1)
  })

  it('control: an error that calls itself otherwise is found, and not a class that extends nothing', () => {
    const lines = [
      "class AError extends Error { override readonly name = 'AError' }",
      "class BError extends AError { override readonly name: string = 'BFault' }",
      "class C { readonly name = 'D' }",
      "class DevelopmentError extends ConfigError { static override readonly name = 'ConfigError' }",
      "class EError extends Error { static override readonly name = 'ConfigError' }",
    ]
    expect(showFindings(misnamedErrors(source(`${server}/x.ts`, ...lines)))).toEqual([
      `${server}/x.ts:2 BError calls itself BFault`,
      `${server}/x.ts:5 EError calls itself ConfigError`,
    ])
  })
})
