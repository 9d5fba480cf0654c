import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readFileSync } from 'node:fs'
import { fencedBlocks, type FencedBlock } from '../test/documents/markdown-files.ts'

const root = join(import.meta.dirname, '..')

/** Holds what programs need of this machine: where they are, and how they reach npm's registry. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|\w+_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_registry)$/i.test(name),
  ),
)

/** A project in an empty directory, as a published template makes it, beside a clone of this repository. */
export interface TemplateProject {
  readonly directory: string
  write(path: string, text: string): Promise<void>
  /** Writes the files that a guide shows, each where the example of that guide has it. */
  writeShown(guide: string, example: string): Promise<void>
  /** Runs a line of a shell and answers its exit code and what it printed. */
  run(
    line: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly output: string }>
  remove(): Promise<void>
}

/** Runs `template`, which makes the folder `app`, in an empty directory. */
export async function createFromTemplate(template: string): Promise<TemplateProject> {
  const parent = await mkdtemp(join(tmpdir(), 'signalbox-template-'))
  // The guides install from a clone of that name beside the application.
  await symlink(root, join(parent, 'signalbox'), 'junction')
  const directory = join(parent, 'app')
  const run = async (
    line: string,
    env: Readonly<Record<string, string>> = {},
    cwd: string = directory,
  ) => {
    const child = spawn(line, {
      cwd,
      shell: true,
      env: {
        ...inherited,
        NO_COLOR: '1',
        NEXT_TELEMETRY_DISABLED: '1',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_prefer_offline: 'true',
        npm_config_yes: 'true',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    await once(child, 'close')
    return { code: child.exitCode, output }
  }
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  const { code, output } = await run(template, {}, parent)
  if (code !== 0) throw new Error(output)
  return {
    directory,
    write,
    async writeShown(guide, example) {
      for (const { shows, text } of listBlocks(guide)) {
        if (shows?.startsWith(`${example}/`)) await write(shows.slice(example.length + 1), text)
      }
    },
    run: (line, env) => run(line, env),
    remove: () => rm(parent, { recursive: true, force: true }),
  }
}

/** Returns the blocks of a page of the guide, in order. */
export function listBlocks(guide: string): FencedBlock[] {
  const path = `docs/guide/${guide}.md`
  return fencedBlocks({ path, text: readFileSync(join(root, path), 'utf8') })
}

/** Returns the first block of a page in a language. */
export function firstBlock(guide: string, language: string): string {
  const block = listBlocks(guide).find((each) => each.language === language && !each.shows)
  if (block === undefined) throw new Error(`${guide} has no ${language}`)
  return block.text
}

/** Returns a test that a guide shows for Vitest, as the guide says that it is for Jest. */
export function forJest(blocks: readonly FencedBlock[], path: string): string {
  const block = blocks.find(({ shows }) => shows === path)
  if (block === undefined) throw new Error(`No block shows ${path}`)
  return block.text
    .replace(/^import .* from 'vitest'\n/m, '')
    .replace(/^\/\/ @vitest-environment (\w+)$/m, '/** @jest-environment $1 */')
    .replace('cleanup, ', '')
    .replace(/^ *(?:cleanup\(\)|afterEach\(cleanup\))\n/m, '')
}

/** Returns the packages that a line of a guide installs, each in the version that was tried. */
export function listInstalled({ text }: FencedBlock): string {
  const names = /^npm install --save-dev (.*)$/.exec(text)?.[1]?.split(' ') ?? []
  const pinned = names.map((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json')
    const version = otherVersions[name] ?? JSON.parse(readFileSync(manifest, 'utf8')).version
    return `${name}@${version}`
  })
  return pinned.join(' ')
}

/** Holds the versions of what only projects of users install. */
const otherVersions: Readonly<Record<string, string>> = {
  '@swc/core': '1.16.22',
  '@swc/jest': '0.2.39',
  jest: '30.5.2',
  'jest-environment-jsdom': '30.5.2',
}

/** A browser key and a server key of the right form, which no server knows. */
export const unknownKeys = {
  browserKey: `sbx_b2m_${'a'.repeat(46)}`,
  serverKey: `sbx_m2m_${'a'.repeat(46)}`,
}
