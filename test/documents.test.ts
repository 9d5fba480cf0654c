import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientVariables, settingTable } from '../packages/server/src/settings/setting-table.ts'
import { readMeasurements } from '../scripts/docs/measurements-page.ts'
import {
  isTestFile,
  parseSource,
  readSourceFiles,
  root,
  showFindings,
} from './architecture/source-files.ts'
import { awkwardInDocument, awkwardInStrings } from './documents/awkward-phrases.ts'
import { checkTypes } from './documents/code-blocks.ts'
import { exampleBlocks, namesWithExample } from './documents/doc-examples.ts'
import { foreignPrograms, unknownCommands } from './documents/commands.ts'
import { findProvider } from '../packages/server/src/providers/find-provider.ts'
import { fillPermissionTables, listMarkedProviders } from '../scripts/docs/permission-tables.ts'
import {
  missingPaths,
  missingTestFiles,
  unlistedIds,
  unprovenPromises,
} from './documents/guarantees.ts'
import { listOutdatedTables, renderReference } from '../scripts/docs/served-pages.ts'
import { listGuidedTexts } from './documents/integration-tables.ts'
import { brokenLinks } from './documents/links.ts'
import { listUnfoundedQuotes } from './documents/quoted-figures.ts'
import {
  differingBlocks,
  fencedBlocks,
  findInText,
  readMarkdownFiles,
} from './documents/markdown-files.ts'

const reference = [...renderReference()].map(([path, text]) => ({ path: `docs/${path}`, text }))
const files = [...readMarkdownFiles(), ...reference]
const blocks = files.flatMap(fencedBlocks)
/** Holds the texts of the product. */
const texts = readSourceFiles().filter(({ path }) => !isTestFile(path))
/** Holds the files of the packages that applications import. */
const clients = texts.filter(({ path }) => /^packages\/(?:config|next|react|vite)\//.test(path))
const page = (text: string) => ({ path: 'docs/page.md', text })

describe('documents', () => {
  it('link to what is there', () => {
    expect(files.length).toBeGreaterThan(10)
    expect(showFindings(files.flatMap(brokenLinks))).toEqual([])
  })

  it('control: a link to a missing file and to a missing heading are found', () => {
    const broken = page(
      '# A page\n[a](problems.md#not_found) [b](nowhere.md)\n[c](problems.md#gone) [d](#a-page)',
    )
    expect(showFindings(brokenLinks(broken))).toEqual([
      'docs/page.md:2 leads to docs/nowhere.md, which is not there',
      'docs/page.md:3 docs/problems.md has no heading #gone',
    ])
  })

  it('are decisions that the list of decisions leads to', () => {
    const list = files.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? ''
    const records = files.map(({ path }) => /^docs\/decisions\/(\d{4}-.*)$/.exec(path)?.[1] ?? '')
    expect(records.filter((name) => name !== '' && !list.includes(`(${name})`))).toEqual([])
  })

  it('start no program out of a registry, where its name is not ours', () => {
    expect(showFindings([...files, ...texts].flatMap(foreignPrograms))).toEqual([])
  })

  it('control: a command that npx would fetch is found, in a document and in a text of the product', () => {
    const found = foreignPrograms(page('a\n`npx signalbox init` and `npx --no-install signalbox`'))
    expect(showFindings(found)).toEqual([
      'docs/page.md:2 npx would fetch signalbox from a registry: npx --no-install signalbox',
    ])
    const others = ['npx --yes @signalbox/cli report', 'npx -y signalbox', 'pnpm dlx signalbox']
    expect(others.flatMap((text) => foreignPrograms(page(text)))).toHaveLength(others.length)
    expect(texts.length).toBeGreaterThan(500)
  })

  it('show TypeScript that compiles, as the comments of the packages for applications do', () => {
    // Blocks that show a file are checked with that file.
    const own = blocks.filter(({ language, shows }) => /^tsx?$/.test(language) && !shows)
    const examples = clients.flatMap(exampleBlocks)
    expect(examples.length).toBeGreaterThan(20)
    expect(checkTypes([...own, ...examples])).toEqual([])
  })

  it('show an example in the comment of each function that an application begins with', () => {
    const hooks = 'ConfigProvider createBindings useConfigStatus useFeatureFlag usePublicConfig'
    const begun = Object.entries({
      config: 'createConfigClient declaredDefaults defineConfig verify',
      react: hooks,
      next: `${hooks} createRevalidateHandler getConfig getServerConfig notifyOfChange watchConfig`,
      vite: 'preloadConfig signalbox',
    }).flatMap(([name, list]) => list.split(' ').map((each) => `${name}/${each}`))
    const documented = namesWithExample(clients)
    expect(begun.filter((name) => !documented.has(name))).toEqual([])
  })

  it('control: a wrong example is found at its line, and a function without one', () => {
    const path = 'packages/config/src/a.ts'
    const text =
      '/**\n * Does.\n *\n * @example\n * ```ts\n * const a: string = 1\n * ```\n */\nexport function a() {}'
    expect(checkTypes(exampleBlocks({ path, text }))).toEqual([
      expect.stringMatching(/^packages\/config\/src\/a\.ts:6 error TS2322/),
    ])
    const more = { path, text: `${text}\n/** Does. */\nexport const b = 1\nexport const c = 1` }
    expect([...namesWithExample([more])]).toEqual(['config/a'])
  })

  it('show no code of Node where a project compiles for browsers alone', () => {
    const pages = new Set(['docs/guide/react.md', 'docs/guide/vite.md'])
    const named = (all: typeof blocks) =>
      all.flatMap(({ path, line, language, shows, text }) =>
        pages.has(path) && /^tsx?$/.test(language) && !shows && /\bprocess\b|'node:/.test(text)
          ? [`${path}:${line}`]
          : [],
      )
    expect(named(blocks)).toEqual([])
    const planted = { path: 'docs/guide/react.md', text: 'a\n```ts\nprocess.exit()\n```\n' }
    expect(named(fencedBlocks(planted))).toHaveLength(1)
  })

  it('show files of the examples as they are', () => {
    expect(showFindings(differingBlocks(blocks))).toEqual([])
  })

  it('control: a file that was changed since, and one that is gone, are found', () => {
    const text = '```json examples/node-service/package.json\n{}\n```\n```ts gone.ts\n```\n'
    expect(showFindings(differingBlocks(fencedBlocks(page(text))))).toEqual([
      'docs/page.md:2 differs from examples/node-service/package.json',
      'docs/page.md:5 there is no gone.ts',
    ])
  })

  it('control: a wrong type in a block is found at its line', () => {
    const [block] = fencedBlocks(page('text\n\n```ts\nconst a = 1\nconst b: string = a\n```\n'))
    expect(checkTypes(block === undefined ? [] : [block])).toEqual([
      expect.stringMatching(/^docs\/page\.md:5 error TS2322/),
    ])
  })

  it('show commands that exist, with flags that they have', () => {
    const shell = blocks.filter(({ language }) => /^(sh|bash|console)$/.test(language))
    expect(showFindings(shell.flatMap(unknownCommands))).toEqual([])
    // Files of pipelines have scripts of the reader's own.
    const ofPipelines = blocks.filter(({ language }) => /^ya?ml$/.test(language))
    const unknown = ofPipelines
      .flatMap(unknownCommands)
      .filter(({ detail }) => !detail.startsWith('there is no npm script'))
    expect(showFindings(unknown)).toEqual([])
  })

  it('control: an unknown command, script and flag are found', () => {
    const [block] = fencedBlocks(
      page(
        '```sh\nnpm run chekc\nsignalbox psuh\nsignalbox push --enviroment x\nsignalbox run -- a --b\n```',
      ),
    )
    expect(block === undefined ? [] : showFindings(unknownCommands(block))).toEqual([
      'docs/page.md:2 there is no npm script chekc',
      'docs/page.md:3 there is no command signalbox psuh',
      'docs/page.md:4 signalbox push has no --enviroment',
    ])
  })

  it('name settings that exist', () => {
    const known = new Set([...settingTable.map(({ name }) => name as string), ...clientVariables])
    const unknown = files.flatMap((file) =>
      findInText(file, /\bSIGNALBOX_[A-Z_]*[A-Z]\b/g, ([name]) =>
        known.has(name.replace(/_FILE$/, '')) ? undefined : `${name} is not a setting`,
      ),
    )
    expect(showFindings(unknown)).toEqual([])
  })
})

describe('texts for people', () => {
  // Pages that quote such phrases: as examples, or as titles of tests.
  const quoting =
    /^(?:AGENTS|docs\/(?:writing|advisories|faults-that-come-back|reference\/measurements))\.md$/

  it('have no phrase at which a reader stops, in any document', () => {
    const pages = files.filter(({ path }) => !quoting.test(path))
    expect(pages.length).toBeGreaterThan(80)
    expect(showFindings(pages.flatMap(awkwardInDocument))).toEqual([])
  })

  // A migration is never changed once it is released, and only its comments are texts.
  it('have none in any string of the packages', () => {
    const sources = readSourceFiles().filter(
      ({ path }) => !isTestFile(path) && /^packages\/\w+\/src\/(?!store\/migrations\/)/.test(path),
    )
    expect(sources.length).toBeGreaterThan(1_000)
    expect(showFindings(sources.flatMap((file) => awkwardInStrings(file)))).toEqual([])
  })

  it('control: a phrase is found in prose, in a string and in JSX, and not in code or a comment', () => {
    const document = page(
      'Open it at once.\n`at once`\n\n```sh\nat once\n```\nA person who has a key.',
    )
    expect(showFindings(awkwardInDocument(document))).toEqual([
      'docs/page.md:1 “at once”: write immediately, together, or per request',
    ])
    const source = parseSource(
      'packages/dashboard/src/a.tsx',
      "// at once\nconst a = 'Whoever'\nconst b = <p>It is good\n for ten minutes</p>",
    )
    expect(showFindings(awkwardInStrings(source))).toEqual([
      'packages/dashboard/src/a.tsx:2 “Whoever”: write the person who …, or the role',
      expect.stringContaining('“good for”: write valid for'),
    ])
  })
})

describe('docs/guarantees.md', () => {
  const promises = files.find(({ path }) => path === 'docs/guarantees.md')?.text ?? ''
  const tests = readSourceFiles().filter(({ path }) => isTestFile(path))

  it('lists every guarantee that a test names', () => {
    expect(promises).toContain('| S1 |')
    expect(showFindings(unlistedIds(promises, tests))).toEqual([])
    expect(unlistedIds(promises.replace('| S1 |', '| S0 |'), tests).length).toBeGreaterThan(2)
  })

  it('names for each sentence of SECURITY.md tests that exist', () => {
    const security = files.find(({ path }) => path === 'SECURITY.md')?.text ?? ''
    const texts = new Map(tests.map(({ path, text }) => [path, text]))
    const judge = (said: string, list: string) =>
      unprovenPromises(said, list, (path) => texts.get(path))
    expect(judge(security, promises)).toEqual([])
    // Control: a sentence that is new, a test with another name, and a file that is gone.
    const more = security.replace(
      '\n## What does not',
      '\n- **New.** It flies.\n\n## What does not',
    )
    const named =
      '| It writes no table … | `packages/server/src/store/row-level-security.test.ts`: '
    const renamed = promises.replace(`${named}writes no table`, `${named}flies`)
    const moved = promises.replace(
      '`test/proof/disconnect.proof.ts`: is used',
      '`gone.proof.ts`: is',
    )
    expect(judge(more, promises)).toEqual(['no test proves “It flies.”'])
    expect(judge(security, renamed)).toEqual([
      'there is no test “flies” in packages/server/src/store/row-level-security.test.ts',
    ])
    expect(judge(security, moved)).toEqual([expect.stringContaining('in gone.proof.ts')])
    expect(judge('', promises)[0]).toContain('no sentence begins with “Browser snapshots')
  })

  it('names tests that exist, as docs/provider-traps.md does', () => {
    const paths = tests.map(({ path }) => path)
    const pages = files.filter(({ path }) => /^docs\/(?:guarantees|provider-traps)\.md$/.test(path))
    expect(pages).toHaveLength(2)
    expect(showFindings(pages.flatMap((each) => missingTestFiles(each, paths)))).toEqual([])
    expect(showFindings(missingTestFiles(page('| S1 | `gone.proof.ts` |'), paths))).toEqual([
      'docs/page.md:1 there is no gone.proof.ts',
    ])
  })
})

describe('pages for the first change', () => {
  it('name files and folders that exist', () => {
    const pages = files.filter(({ path }) =>
      /^docs\/(?:where-to-change|first-issues)\.md$/.test(path),
    )
    expect(pages).toHaveLength(2)
    expect(showFindings(pages.flatMap(missingPaths))).toEqual([])
    expect(showFindings(missingPaths(page('`test/gone/` and `test/documents.test.ts`')))).toEqual([
      'docs/page.md:1 there is no test/gone/',
    ])
  })
})

describe('docs/guide/integrations.md', () => {
  const text = files.find(({ path }) => path === 'docs/guide/integrations.md')?.text ?? ''

  const leftOutOf = (page: string) => listGuidedTexts().filter((each) => !page.includes(each))

  it('explains each code and warning that people are shown', () => {
    expect(text).not.toBe('')
    expect(leftOutOf(text)).toEqual([])
  })

  it('control: a code and a warning that are left out are found', () => {
    const page = text.replaceAll('`account_taken`', '').replaceAll('The report passed', '')
    expect(leftOutOf(page)).toEqual(['| `account_taken` |', 'The report passed'])
  })
})

describe('the tables of permissions', () => {
  const pageOf = (name: string) => {
    const own = `packages/server/src/providers/${name.replace('-', '/')}/guide.md`
    return files.find(({ path }) => path === own || path === `docs/guide/${name}.md`)?.text
  }
  const overview = pageOf('integrations') ?? ''

  it('stand in the overview, and in the page of each provider that grants any', () => {
    expect(overview).toContain('<!-- permissions -->')
    const names = listMarkedProviders()
    expect(names).toContain('gitlab')
    const ownPages = names.filter((name) => pageOf(name) !== undefined)
    expect(ownPages).toContain('discord')
    const without = ownPages.filter((name) => !pageOf(name)?.includes(`<!-- permissions ${name}`))
    expect(without).toEqual([])
    // Providers without a page of their own have a section of the overview.
    const others = names
      .filter((name) => !ownPages.includes(name))
      .map((name) => findProvider(name)?.displayName)
    expect(others.filter((name) => !overview.includes(`### ${name}`))).toEqual([])
  })

  it('are what the providers ask for; run npm run build after a change', () => {
    expect([...listOutdatedTables().keys()]).toEqual([])
  })

  it('control: a row that was changed by hand is written again, and the rest stays', () => {
    expect(overview).toContain('| GitLab | `read_api` |')
    expect(fillPermissionTables(overview)).toBe(overview)
    const changed = overview.replace('| GitLab | `read_api` |', '| GitLab | `read` |')
    expect(fillPermissionTables(changed)).toBe(overview)
    expect(fillPermissionTables(changed.replace('<!-- end -->', ''))).not.toBe(overview)
  })

  it('control: a provider that does not exist is refused', () => {
    const text = '<!-- permissions gitlap -->\n<!-- end -->'
    expect(() => fillPermissionTables(text)).toThrow('No provider is named gitlap')
  })
})

describe('README.md', () => {
  const text = files.find(({ path }) => path === 'README.md')?.text ?? ''

  it('is at most two screens', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(100)
  })

  it('shows pictures that are there, small, in both themes, and taken by npm run pictures', () => {
    const shown = [...text.matchAll(/docs\/pictures\/([a-z]+)-(light|dark)\.png/g)]
    expect(shown.length).toBeGreaterThan(1)
    const taken = readFileSync(join(root, 'scripts/pictures.ts'), 'utf8')
    for (const [path, name] of shown) {
      expect(statSync(join(root, path)).size).toBeLessThan(200_000)
      expect(taken).toContain(`name: '${name}'`)
    }
    const inTheme = (wanted: string) =>
      shown.filter(([, , theme]) => theme === wanted).map(([, name]) => name)
    expect(inTheme('dark')).toEqual(inTheme('light'))
  })

  it('quotes no figure that was measured on older code', () => {
    expect(listUnfoundedQuotes(text, readMeasurements())).toEqual([])
  })

  it('control: a figure without a name, of older code or with another number is found', () => {
    const record = { figure: 'P4', found: 'embedded 31 ms' }
    const find = (line: string, isOfToday: boolean) =>
      listUnfoundedQuotes(line, [{ ...record, isOfToday }])
    expect(find('A change arrives in 31 ms (P4).', true)).toEqual([])
    expect(find('A change arrives in 31 ms (P4).', false)).toEqual(['P4 is of older code'])
    expect(find('A change arrives in 30 ms (P4).', true)).toEqual(['P4 has no 30 ms'])
    expect(find('A change arrives in 31 ms.', true)).toEqual(['31 ms is of no figure'])
    expect(find('0.89 of the requests of a bare server', true)).toEqual(['0.89 of is of no figure'])
    expect(find('A change arrives soon (P99).', true)).toEqual(['There is no figure P99'])
  })

  it.each(['run', 'test'])('marks its %s command for the machines that read it', (mark) => {
    const marked = new RegExp(
      `^<!-- ${mark} -->\\n\`\`\`sh\\n(npm ci(?: --omit=dev)? && npm [^\\n]+)\\n\`\`\`$`,
      'm',
    )
    expect(text).toMatch(marked)
  })
})
