import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createEmptyProject,
  publishedPackages,
  runNpm,
  type EmptyProject,
} from './packed/empty-project.ts'
import { findNodeVersions, satisfies } from './packed/node-versions.ts'
import { root } from './architecture/source-files.ts'

/** Holds typical compiler options of a user's project, with none of ours. */
const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2024', 'dom'],
  types: [],
}

let project: EmptyProject
const nodes = findNodeVersions()
const standIns = globSync('providers/*/stand-in', { cwd: join(root, 'packages/server/src') })
  .map((folder) => `${folder.replaceAll('\\', '/')}/`)
  .sort()

beforeAll(() => {
  project = createEmptyProject()
})

afterAll(() => project?.close())

/** Lists the entries of a package, without those that only our own sources can read. Example: `@signalbox/contract/rest`. */
function entriesOf(name: (typeof publishedPackages)[number]): string[] {
  const manifest = project.readManifest(name)
  return Object.entries(manifest.exports ?? {})
    .filter(([entry, target]) => entry !== './package.json' && !isOfSourcesAlone(target))
    .map(([entry]) => entry.replace('.', manifest.name))
}

function isOfSourcesAlone(target: unknown): boolean {
  const conditions = typeof target === 'object' && target !== null ? Object.keys(target) : []
  return conditions.join() === '@signalbox/source'
}

describe.each(publishedPackages)('the tarball of %s', (name) => {
  it('holds the license, a README and the build, and no test and nothing left from building', () => {
    const files = project.contents[name]
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    expect(files.filter((file) => file.startsWith('dist/')).length).toBeGreaterThan(3)
    expect(files.filter((file) => /\.(test|test-d)\.|\.tsbuildinfo$/.test(file))).toEqual([])
    // The sandbox ships what stands in the server's tree.
    const shipped = files.flatMap((file) => /providers\/[a-z-]+\/stand-in\//.exec(file) ?? [])
    expect([...new Set(shipped)].sort()).toEqual(name === 'sandbox' ? standIns : [])
  })

  it('is what publint asks of a package', async () => {
    const { buffer } = new Uint8Array(readFileSync(project.tarball(name)))
    const { messages, pkg } = await publint({
      pack: { tarball: buffer },
      level: 'warning',
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('answers to import and to require with the same exports, on every Node it names', () => {
    const { engines } = project.readManifest(name)
    const used = nodes.filter(({ version }) => satisfies(version, engines.node))
    expect(used.length).toBeGreaterThan(0)
    const entries = entriesOf(name)
    const list = JSON.stringify(entries)
    const print = `for (const [entry, it] of all) console.log(entry, Object.keys(it).sort().join())`
    for (const { path } of used) {
      const importAll = `const all = []; for (const entry of ${list}) all.push([entry, await import(entry)])`
      const imported = project.run(path, '--input-type=module', '-e', `${importAll}; ${print}`)
      const requireAll = `const all = ${list}.map((entry) => [entry, require(entry)])`
      const required = project.run(path, '-e', `${requireAll}; ${print}`)
      const lines = imported.split('\n').filter((line) => line !== '')
      expect(lines).toHaveLength(entries.length)
      expect(lines.filter((line) => line.endsWith(' '))).toEqual([])
      expect(required.replace(/,?__esModule|,?module\.exports/g, '')).toBe(imported)
    }
  })
})

describe('in an empty project', () => {
  it.each(['typescript', 'typescript-5'])('the types are read by %s', (compiler) => {
    const imports = publishedPackages
      .flatMap(entriesOf)
      .map(
        (entry, index) =>
          `import * as m${index} from '${entry}'\nexport const e${index} = m${index}\n`,
      )
    project.write('types.ts', imports.join(''))
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['types.ts'] }))
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    expect(project.run(process.execPath, tsc, '--project', 'tsconfig.json')).toBe('')
  })

  it('the types of the libraries are read by an older resolution of modules', () => {
    const libraries = publishedPackages.filter(
      (name) => !['server', 'sandbox', 'cli'].includes(name),
    )
    const imports = libraries
      .flatMap(entriesOf)
      .map(
        (entry, index) =>
          `import * as m${index} from '${entry}'\nexport const e${index} = m${index}\n`,
      )
    project.write('types.ts', imports.join(''))
    const options = {
      ...compilerOptions,
      module: 'commonjs',
      moduleResolution: 'node10',
      // The declarations of Next.js and Vite need another one.
      skipLibCheck: true,
    }
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: options, files: ['types.ts'] }),
    )
    const tsc = join(root, 'node_modules/typescript-5/bin/tsc')
    expect(project.run(process.execPath, tsc, '--project', 'tsconfig.json')).toBe('')
  })

  it('the commands start', () => {
    for (const name of publishedPackages) {
      const manifest = project.readManifest(name)
      for (const bin of Object.values(manifest.bin ?? {})) {
        const path = join(project.packageDirectory(name), bin)
        for (const node of nodes.filter(({ version }) =>
          satisfies(version, manifest.engines.node),
        )) {
          expect(project.run(node.path, path, '--help')).toMatch(/signalbox/i)
        }
      }
    }
  })

  it('the sandbox starts, with its stand-ins', async () => {
    const bin = join(project.packageDirectory('sandbox'), 'bin/signalbox-sandbox.js')
    const child = spawn(process.execPath, [bin, '--json'], {
      cwd: project.directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { origin }: { readonly origin: string } = JSON.parse(String(line))
    const state = await (await fetch(`${origin}/control`)).text()
    for (const name of ['github', 'jira', 'linear', 'mattermost']) expect(state).toContain(name)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  it('the service starts, with its database and its pages', async () => {
    const main = join(project.packageDirectory('server'), 'dist/main.js')
    const child = spawn(process.execPath, [main, 'start', '--json'], {
      cwd: project.directory,
      env: {
        PATH: process.env['PATH'],
        SIGNALBOX_DATA_DIR: join(project.directory, 'data'),
        SIGNALBOX_API_PORT: '0',
        SIGNALBOX_DELIVERY_PORT: '0',
        SIGNALBOX_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { apiUrl, setupUrl }: Started = JSON.parse(String(line))
    expect(await (await fetch(`${apiUrl}/readyz`)).json()).toMatchObject({ status: 'ready' })
    const headers = { accept: 'text/html' }
    expect(await (await fetch(setupUrl, { headers })).text()).toContain('<html')
    expect(await (await fetch(`${apiUrl}/docs/problems`)).text()).toContain('id="not_found"')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })
})

describe('beside the zod of a project', () => {
  const read = `import { organizationEndpoints } from '@signalbox/contract/rest'
export const body = organizationEndpoints.createOrganization.body.parse({ name: 'acme' })`
  /** Holds the first zod of the range that has `zod/v4`, and the one that is developed with. */
  const zods = ['zod-3', 'zod']

  it.each(zods)('%s: npm installs them, and the shapes and their types are read', (zod) => {
    const directory = join(project.directory, `beside-${zod}`)
    mkdirSync(directory)
    const write = (file: string, text: string) => writeFileSync(join(directory, file), text)
    write('package.json', '{ "name": "beside", "private": true, "type": "module" }\n')
    runNpm(['install', '--offline', project.packInstalled(zod)], directory)
    const ours = [project.tarball('contract'), project.tarball('config')]
    const spec = project.packInstalled('@standard-schema/spec')
    runNpm(['install', '--offline', ...ours, spec], directory)

    write('read.js', `${read}\nconsole.log(body.name)`)
    const node = (...args: string[]) =>
      spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' }).stdout
    expect(node('read.js')).toBe('acme\n')
    write('types.ts', `${read}\nexport const name: 'not any' = body.name`)
    // As every template has it. The declarations are written with a type argument that zod has from 4.1 on.
    const options = { ...compilerOptions, skipLibCheck: true }
    write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['types.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(node(tsc, '-p', '.')).toContain(`Type 'string' is not assignable to type '"not any"'`)
    write('types.ts', `${read}\nexport const name: string = body.name`)
    expect(node(tsc, '-p', '.')).toBe('')
  })
})

/** Describes the line that the service prints once it serves. */
interface Started {
  readonly apiUrl: string
  readonly setupUrl: string
}
