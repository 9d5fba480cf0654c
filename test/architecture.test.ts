import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createImportGraph } from '../scripts/check/import-graph.ts'
import {
  emptyEntries,
  folderCircles,
  forbiddenImports,
  readFolderTables,
} from './architecture/folder-table.ts'
import { nodeInBrowsers } from './architecture/browser-rules.ts'
import { areasOverLimit, countByArea } from './architecture/code-lines.ts'
import { crowdedFolders } from './architecture/folder-size.ts'
import { findCycles, importGraph } from './architecture/import-cycles.ts'
import { importsOf, packageName } from './architecture/imports.ts'
import { readManifest, undeclaredImports } from './architecture/package-rules.ts'
import { misplacedPlatformUse } from './architecture/platform-rules.ts'
import { waysToSecrets } from './architecture/secret-rules.ts'
import { handwrittenAddresses } from './architecture/address-rules.ts'
import { parseSource, readSourceFiles, root, showFindings } from './architecture/source-files.ts'
import { unguardedTexts } from './architecture/text-rules.ts'

const files = readSourceFiles()
const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const folderFiles = globSync('packages/*/src/**/folder.json', { cwd: root }).sort()
const tables = readFolderTables(new Map(folderFiles.map((path) => [path, readText(path)])))
const graph = importGraph(files)

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: true }>>
}

const server = 'packages/server/src'
const source = (path: string, ...lines: string[]) => parseSource(path, lines.join('\n'))

describe('a package imports only what it declares', () => {
  it('in every file', () => {
    expect(showFindings(files.flatMap((file) => undeclaredImports(file)))).toEqual([])
  })

  it('control: an undeclared package and a bare builtin are found', () => {
    const broken = source(
      `${server}/x.ts`,
      "import { z } from 'zod'",
      "import e from 'express'",
      "import 'fs'",
    )
    expect(showFindings(undeclaredImports(broken))).toEqual([
      `${server}/x.ts:2 imports express, which @signalbox/server does not declare`,
      `${server}/x.ts:3 imports fs: write node:fs`,
    ])
  })

  it('control: a tool of the tests is found in the product and allowed in a test', () => {
    const text = "import { it } from 'vitest'"
    expect(undeclaredImports(parseSource(`${server}/x.ts`, text))).toHaveLength(1)
    expect(undeclaredImports(parseSource(`${server}/x.test.ts`, text))).toEqual([])
  })

  it('control: the zod of the project is found where any zod of a range may be, and allowed elsewhere', () => {
    const text = "import { z } from 'zod'"
    const contract = 'packages/contract/src/rest/x.ts'
    expect(showFindings(undeclaredImports(parseSource(contract, text)))).toEqual([
      `${contract}:1 imports zod: write zod/v4, which each zod of its range has`,
    ])
    const any = parseSource(contract, "import { z } from 'zod/v4'")
    expect(undeclaredImports(any)).toEqual([])
    expect(undeclaredImports(parseSource(`${server}/x.ts`, text))).toEqual([])
  })

  it('control: a stand-in has the dependencies of the sandbox, and types of the tools of its folder', () => {
    const find = (text: string) =>
      undeclaredImports(parseSource(`${server}/providers/slack/stand-in/x.ts`, text)).length
    expect(find("import { z } from 'zod'")).toBe(1)
    expect(find("import { newId } from '@signalbox/contract'")).toBe(1)
    expect(find("import { WebClient } from '@slack/web-api'")).toBe(1)
    expect(find("import type { KnownBlock } from '@slack/types'")).toBe(0)
    expect(find("import { graphql } from 'graphql'")).toBe(0)
    expect(
      undeclaredImports(source(`${server}/x.ts`, "import { graphql } from 'graphql'")),
    ).toHaveLength(1)
  })

  it('control: types of a tool are found in a package whose types others read, and allowed elsewhere', () => {
    const find = (kind: object, text: string) =>
      undeclaredImports(parseSource('packages/sandbox/src/x.ts', text), {
        name: '@signalbox/x',
        devDependencies: { typed: '1.0.0' },
        ...kind,
      })
    const read = { exports: { '.': { types: './dist/index.d.ts' } } }
    const command = { exports: { '.': { '@signalbox/source': './src/index.ts' } } }
    for (const kind of [{ ...read, private: true }, command]) {
      expect(find(kind, "import type { A } from 'typed'")).toEqual([])
      expect(find(kind, "import { a } from 'typed'")).toHaveLength(1)
    }
    expect(find(read, "import type { A } from 'typed'")).toHaveLength(1)
  })

  describe('of which npm installs', () => {
    const { packages }: Lockfile = JSON.parse(readText('package-lock.json'))
    const find = (name: string) => packages[`node_modules/${name}`]
    const isForTests = (name: string) => find(name)?.dev === true

    it('what the scripts import, for who only runs the service', () => {
      const { listImports } = createImportGraph(root)
      const reached = new Set(
        ['start', 'dev', 'write-pages', 'image'].map((it) => `scripts/${it}.ts`),
      )
      for (const path of reached) for (const imported of listImports(path)) reached.add(imported)
      const imported = files.filter(({ path }) => reached.has(path)).flatMap(importsOf)
      const names = imported.filter((it) => !it.typeOnly).map((it) => packageName(it.specifier))
      expect(names).toEqual(expect.arrayContaining(['marked', 'vite', 'zod']))
      expect(names.filter(isForTests)).toEqual([])
    })

    it('the largest for the tests alone', () => {
      const large = ['@sparticuz/chromium', 'effect', 'jira.js', 'next', 'typescript-5', 'vitest']
      expect(large.filter(isForTests)).toEqual(large)
    })

    it('what examples/next-app names, which is no workspace', () => {
      const { dependencies, devDependencies } = readManifest('examples/next-app/')
      const named = Object.entries({ ...dependencies, ...devDependencies })
      const foreign = named.filter(([name]) => !name.startsWith('@signalbox/'))
      expect(foreign).toEqual(foreign.map(([name]) => [name, find(name)?.version]))
    })
  })

  it('and the packages depend on each other in one direction', () => {
    const ours = (path: string) =>
      Object.keys(readManifest(path).dependencies ?? {}).filter((name) =>
        name.startsWith('@signalbox/'),
      )
    expect({
      contract: ours('packages/contract/'),
      config: ours('packages/config/'),
      react: ours('packages/react/'),
      next: ours('packages/next/').sort(),
      vite: ours('packages/vite/'),
      server: ours('packages/server/'),
      cli: ours('packages/cli/').sort(),
      sandbox: ours('packages/sandbox/'),
    }).toEqual({
      contract: [],
      config: ['@signalbox/contract'],
      react: ['@signalbox/config'],
      next: ['@signalbox/config', '@signalbox/react'],
      vite: ['@signalbox/config'],
      server: ['@signalbox/contract'],
      cli: ['@signalbox/config', '@signalbox/contract'],
      sandbox: [],
    })
  })
})

describe('imports between the folders of a package go one way', () => {
  it('as the folder.json of each says', () => {
    expect(tables.map(({ root }) => root)).toEqual(
      expect.arrayContaining(
        ['server', 'dashboard', 'cli', 'sandbox', 'contract', 'config', 'next'].map(
          (name) => `packages/${name}/src/`,
        ),
      ),
    )
    for (const { rules } of tables) expect(rules.length).toBeGreaterThan(1)
    expect(showFindings(files.flatMap((file) => forbiddenImports(file, tables)))).toEqual([])
  })

  it('and each row is about something', () => {
    expect(tables.flatMap((table) => emptyEntries(table, graph))).toEqual([])
  })

  it('in no circle over several folders', () => {
    for (const table of tables) {
      expect([table.root, folderCircles(table, graph)]).toEqual([table.root, []])
    }
  })

  it('a feature is opened in its own folder, by app.ts alone', () => {
    const openers = files.filter(({ path }) =>
      /^packages\/server\/src\/(?!store\/)([a-z-]+)\/open-\1\.ts$/.test(path),
    )
    expect(openers.length).toBeGreaterThanOrEqual(12)
    for (const { path } of openers) {
      const importers = [...graph].filter(([, imported]) => imported.has(path))
      expect([path, importers.map(([importer]) => importer)]).toEqual([path, [`${server}/app.ts`]])
    }
  })

  it('control: an upward import, a feature reached past its entry and a stray folder are found', () => {
    const find = (path: string, ...lines: string[]) =>
      showFindings(forbiddenImports(source(`${server}/${path}`, ...lines), tables))
    expect(find('store/x.ts', '', "import { a } from '../configs/rows.ts'")).toEqual([
      `${server}/store/x.ts:2 store/ may not import configs/rows.ts`,
    ])
    expect(
      find(
        'delivery/x.ts',
        "import type { PublishedBrowser } from '../config-model/snapshot.ts'",
        "export { b } from '../configs/rows.ts'",
      ),
    ).toEqual([`${server}/delivery/x.ts:2 delivery/ may not import configs/rows.ts`])
    expect(find('misc/x.ts')).toEqual([`${server}/misc/x.ts:1 misc/ has no folder.json`])
    expect(find('identity/x.ts', "await import('../../../config/src/index.ts')")).toHaveLength(1)
  })

  it('control: a stand-in that imports the service or another stand-in is found, and the service that imports one', () => {
    const find = (path: string, specifier: string) =>
      showFindings(forbiddenImports(source(path, `import '${specifier}'`), tables))
    const slack = `${server}/providers/slack`
    const foundFrom = (specifier: string) => find(`${slack}/stand-in/x.ts`, specifier).length
    for (const specifier of ['../errors.ts', '../../chat/chat.ts', '../../jira/stand-in/index.ts'])
      expect([specifier, foundFrom(specifier)]).toEqual([specifier, 1])
    const kit = '../../../../../sandbox/src'
    expect(foundFrom(`${kit}/control/present.ts`)).toBe(1)
    expect(foundFrom(`${kit}/http/route.ts`)).toBe(0)
    expect(foundFrom('./routes/x.ts')).toBe(0)
    expect(find(`${slack}/x.ts`, './stand-in/index.ts')).toEqual([
      `${slack}/x.ts:1 providers/ may not import providers/slack/stand-in/index.ts`,
    ])
    expect(find(`${server}/app.ts`, './providers/slack/stand-in/index.ts')).toHaveLength(1)
    const sandbox = 'packages/sandbox/src'
    const standIn = '../../server/src/providers/slack/stand-in'
    expect(find(`${sandbox}/stand-ins.ts`, `${standIn}/index.ts`)).toEqual([])
    expect(find(`${sandbox}/stand-ins.ts`, `${standIn}/state.ts`)).toHaveLength(1)
    expect(find(`${sandbox}/http/x.ts`, `../${standIn}/index.ts`)).toHaveLength(1)
  })

  it('control: a row without a file, a folder reached from its neighbour or past its entry, and a circle are found', () => {
    const row = (...mayImport: string[]) => ({ holds: 'something', mayImport })
    const [table] = readFolderTables(
      new Map(
        Object.entries({
          '': [{ entries: ['screens/*/'], ...row('a/') }],
          'a/': row('b/one.ts'),
          'b/': row('a/', 'c/'),
          'c/': { ...row(), entry: ['open.ts'] },
        }).map(([folder, rows]) => [`packages/x/src/${folder}folder.json`, JSON.stringify(rows)]),
      ),
    )
    if (table === undefined) throw new Error('The table was not read')
    const broken = [
      source('packages/x/src/a/x.ts', "import type { B } from '../b/one.ts'"),
      source('packages/x/src/b/one.ts', "import { a } from '../a/x.ts'"),
      source('packages/x/src/b/two.ts', "import '../c/open.ts'", "import '../c/inner.ts'"),
      source('packages/x/src/screens/keys/x.ts', "import '../members/x.ts'", "import './y.ts'"),
      source('packages/x/src/screens/members/x.ts', "import '../../a/x.ts'", "import '../../c.ts'"),
    ]
    const found = importGraph(broken)
    expect(emptyEntries(table, found)).toEqual(['c/'])
    expect(folderCircles(table, found)).toEqual([['a/', 'b/']])
    expect(showFindings(broken.flatMap((file) => forbiddenImports(file, [table])))).toEqual([
      'packages/x/src/b/two.ts:2 b/ may not import c/inner.ts',
      'packages/x/src/screens/keys/x.ts:1 screens/keys/ may not import screens/members/x.ts',
      'packages/x/src/screens/members/x.ts:2 screens/members/ may not import c.ts',
    ])
  })
})

describe('files import each other in no cycle, types included', () => {
  it('in every package', () => {
    expect(findCycles(graph)).toEqual([])
  })

  it('control: a cycle is found', () => {
    const one = source('packages/x/src/one.ts', "import type { Two } from './two.ts'")
    const two = source('packages/x/src/two.ts', "import { one } from './one.ts'")
    expect(findCycles(importGraph([one, two]))).toEqual([[one.path, two.path]])
    expect(findCycles(importGraph([one]))).toEqual([])
  })
})

describe('what serves browsers cannot reach what opens secrets', () => {
  it('over any number of files', () => {
    expect(showFindings(waysToSecrets(files))).toEqual([])
  })

  it('control: a way over another file is found, with the way; a type is not one', () => {
    const broken = [
      source(
        `${server}/delivery/browser/a.ts`,
        "import type { DataKey } from '../../crypto/data-keys.ts'",
        "import { b } from '../b.ts'",
      ),
      source(`${server}/delivery/b.ts`, "export { open } from '../crypto/seal.ts'"),
    ]
    expect(showFindings(waysToSecrets(broken))).toEqual([
      `${server}/delivery/browser/a.ts:2 reaches what opens secrets: ${server}/delivery/b.ts -> ${server}/crypto/seal.ts`,
    ])
  })
})

describe('what a browser loads out of the command line needs no Node', () => {
  const entry = 'packages/cli/src/importers/index.ts'

  it('over any number of files', () => {
    expect(files.some(({ path }) => path === entry)).toBe(true)
    expect(showFindings(nodeInBrowsers(files))).toEqual([])
  })

  it('control: an import and a global of Node are found behind another file; types and members are none', () => {
    const broken = [
      source(entry, "import { read } from './read.ts'"),
      source(
        'packages/cli/src/importers/read.ts',
        "import { isUtf8 } from 'node:buffer'",
        "import type { Readable } from 'node:stream'",
        'export const read = (it: Readable) => isUtf8(Buffer.from(it.process))',
      ),
      source('packages/cli/src/importers/elsewhere.ts', "import 'node:fs'"),
    ]
    expect(showFindings(nodeInBrowsers(broken))).toEqual([
      'packages/cli/src/importers/read.ts:1 imports node:buffer: browsers have none',
      'packages/cli/src/importers/read.ts:3 uses Buffer: browsers have none',
    ])
  })
})

let misplaced: string[] | undefined
const findMisplaced = () => (misplaced ??= showFindings(files.flatMap(misplacedPlatformUse)))

describe('the environment, the network, the clock and chance have one place each', () => {
  it('in every file of the product', () => {
    expect(findMisplaced()).toEqual([])
  })

  it('control: each is found elsewhere, and allowed in its place and in tests', () => {
    const lines = [
      "import { randomBytes } from 'node:crypto'",
      "import { request } from 'undici'",
      'const port = process.env.PORT',
      "const host = process['env'].HOST",
      "await fetch('http://localhost')",
      'const today = new Date()',
      'const then = new Date(0)',
      'const id = Date.now() + Math.random()',
    ]
    expect(showFindings(misplacedPlatformUse(source(`${server}/configs/x.ts`, ...lines)))).toEqual([
      `${server}/configs/x.ts:1 makes up a value; crypto/ does`,
      `${server}/configs/x.ts:2 calls out; egress/ does`,
      `${server}/configs/x.ts:3 reads process.env; settings.ts does`,
      `${server}/configs/x.ts:4 reads process.env; settings.ts does`,
      `${server}/configs/x.ts:5 calls out; egress/ does`,
      `${server}/configs/x.ts:6 reads the clock; take now: () => Date`,
      `${server}/configs/x.ts:8 reads the clock; take now: () => Date`,
      `${server}/configs/x.ts:8 makes up a value; crypto/ does`,
    ])
    const found = (path: string, ...text: string[]) =>
      misplacedPlatformUse(source(`${server}/${path}`, ...text)).length
    expect(found('settings.ts', 'process.env.PORT')).toBe(0)
    expect(found('egress/x.ts', "await fetch('http://localhost')")).toBe(0)
    expect(found('crypto/x.ts', "import { randomBytes } from 'node:crypto'")).toBe(0)
    expect(found('configs/x.test.ts', ...lines)).toBe(0)
  })
})

describe('a text of others', () => {
  it('comes in by one door, and is cut where it may be cut', () => {
    expect(showFindings(files.flatMap(unguardedTexts))).toEqual([])
  })

  it('control: other ways in and other cuts are found, those of our own texts and of lists are not', () => {
    const lines = [
      'const answer: unknown = JSON.parse(body)',
      'const keys = await response.json()',
      "import { parse } from 'yaml'",
      'const title = message.slice(0, titleMax)',
      'const reason = error.message.slice(0, 500)',
    ]
    const find = (path: string, ...text: string[]) =>
      unguardedTexts(source(`${server}/${path}`, ...text)).map(({ line }) => line)
    expect(find('providers/x/api.ts', ...lines)).toEqual([1, 2, 3, 4, 5])
    expect(find('providers/x/api.test.ts', ...lines)).toEqual([])
    expect(find('egress/foreign-json.ts', 'JSON.parse(text)')).toEqual([])
    expect(find('providers/x/api.ts', 'const shown = rows.slice(0, shownMax)')).toEqual([])
  })
})

describe('what only its owner can make', () => {
  it('is never compared letter by letter (Hono GHSA-gq3j-xvxp-8hrf)', () => {
    const compare = (line: string) => misplacedPlatformUse(source(`${server}/identity/x.ts`, line))
    for (const line of [
      'if (hashToken(token) !== row.tokenHash) refuse()',
      'const isGenuine = given.signature === expected',
      'const isGenuine = mac.equals(expected)',
    ]) {
      expect([line, compare(line)]).toMatchObject([line, [{ line: 1 }]])
    }
    for (const line of [
      'timingSafeEqual(a.hash, b.hash)',
      "url.hash === ''",
      'row.hash === undefined',
    ]) {
      expect([line, compare(line)]).toEqual([line, []])
    }
    expect(findMisplaced()).toEqual([])
  })
})

describe('addresses of the dashboard are those of its pages', () => {
  it('in every file of the product', () => {
    expect(showFindings(files.flatMap(handwrittenAddresses))).toEqual([])
  })

  it('control: one that is written by hand is found, as an attribute and as a property', () => {
    const find = (path: string, ...lines: string[]) =>
      showFindings(handwrittenAddresses(source(path, ...lines)))
    const screen = 'packages/dashboard/src/screens/x.tsx'
    const lines = [
      'const one = <a href="/acme/deployments">x</a>',
      'const two = <Link to="/$org/deploymentz">x</Link>',
      'const three = <a href={`/${slug}/config`}>x</a>',
      "const four = { to: '/$org/nowhere' }",
    ]
    expect(find(screen, ...lines)).toEqual([
      `${screen}:1 /acme/deployments: let toHref write the address of a page`,
      `${screen}:2 /$org/deploymentz: name a page of contract/src/pages.ts`,
      `${screen}:3 /: let toHref write the address of a page`,
      `${screen}:4 /$org/nowhere: name a page of contract/src/pages.ts`,
    ])
    expect(find(`${server}/overview/x.ts`, "const next = { href: '/integrations' }")).toHaveLength(
      1,
    )
    for (const line of [
      'const one = <Link to="/$org/deployments">x</Link>',
      'const two = <a href={`/docs/guide/${page}`}>x</a>',
      'const three = <a href="https://example.com/x">x</a>',
      'const four = { href: toHref(ref) }',
    ]) {
      expect([line, find(screen, line)]).toEqual([line, []])
    }
  })
})

describe('the house grows on purpose', () => {
  const limits = JSON.parse(readText('test/architecture/lines-of-code.json')) as Record<
    string,
    number
  >

  it('no area has more lines of code than lines-of-code.json allows: raise it with your reason in the commit', () => {
    expect(areasOverLimit(countByArea(files), limits)).toEqual([])
  })

  it('and none has so many fewer that its limit limits nothing: lower it', () => {
    const doubled = Object.entries(countByArea(files)).map(([area, lines]) => [
      area,
      lines * 1.03 + 100,
    ])
    expect(areasOverLimit(limits, Object.fromEntries(doubled))).toEqual([])
  })

  it('control: lines are counted without blanks and comments, and an area over its limit is found', () => {
    const text = [
      '/**',
      ' * Says.',
      ' */',
      'const a = 1 // why',
      '',
      '  // why',
      '/* b */',
      'b()',
    ].join('\n')
    const counted = countByArea([
      source(`${server}/x.ts`, text),
      source(`${server}/providers/slack/stand-in/x.ts`, text),
      source('e2e/x.ts', 'a()'),
    ])
    expect(counted).toEqual({ 'packages/server': 2, 'packages/sandbox': 2, e2e: 1 })
    expect(areasOverLimit(counted, { 'packages/server': 1 })).toEqual([
      'packages/server: 2 lines of code, 1 allowed',
      'packages/sandbox: 2 lines of code, 0 allowed',
      'e2e: 1 lines of code, 0 allowed',
    ])
  })
})

describe('a person can read through a folder', () => {
  it('none holds more than forty entries', () => {
    expect(crowdedFolders(files)).toEqual([])
  })

  it('control: one more is found, folders counted as one each', () => {
    const forty = Array.from({ length: 40 }, (_, index) => ({ path: `${server}/x/${index}.ts` }))
    const inner = [{ path: `${server}/x/y/1.ts` }, { path: `${server}/x/y/2.ts` }]
    expect(crowdedFolders(forty)).toEqual([])
    expect(crowdedFolders([...forty, ...inner])).toEqual([
      `${server}/x/ holds 41 entries; 40 are allowed`,
    ])
  })
})
