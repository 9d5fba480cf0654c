import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dialects, type DialectName } from './dialects.ts'
import { encodeValue } from './encode-value.ts'
import { CliError } from '../terminal/cli-error.ts'
import { type DockerReader, startDockerReader } from '../testing/docker-reader.ts'
import { commandValues, nastyValues } from '../testing/nasty-values.ts'
import { renderEnvFile } from './render-env-file.ts'

/** The same cases in every run: a check that fails by chance says nothing about the change it checks. */
const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)

const require = createRequire(import.meta.url)
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-readers-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type RealReader = (text: string) => Readonly<Record<string, string | undefined>>

interface DotenvModule {
  parse(text: string): Record<string, string>
}
interface ExpandModule {
  expand(options: { parsed: Record<string, string>; processEnv: object }): {
    parsed: Record<string, string>
  }
}
interface DotenvxModule {
  config(options: object): { parsed?: Record<string, string> }
}
interface NextEnvModule {
  processEnv(
    files: { path: string; contents: string; env: object }[],
    directory?: string,
    log?: object,
    force?: boolean,
  ): [unknown, Record<string, string>]
}

const dotenv = require('dotenv') as DotenvModule
const dotenvExpand = require('dotenv-expand') as ExpandModule
const nextEnv = require('@next/env') as NextEnvModule
const dotenvx = require('@dotenvx/dotenvx') as DotenvxModule

let fileNumber = 0
const write = (text: string) => {
  fileNumber += 1
  const path = join(directory, `file-${fileNumber}.env`)
  writeFileSync(path, text)
  return path
}

const shellReader =
  (shell: string): RealReader =>
  (text) => {
    const path = write(text)
    const output = execFileSync(shell, ['-c', `. "${path}"; exec env -0`], {
      env: { PATH: process.env['PATH'] },
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return Object.fromEntries(
      output
        .toString('utf8')
        .split('\u0000')
        .filter((entry) => entry !== '')
        .map((entry) => {
          const equals = entry.indexOf('=')
          return [entry.slice(0, equals), entry.slice(equals + 1)]
        }),
    )
  }

/** Node of another version, when the machine has one. */
const otherNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  try {
    return execFileSync(path, ['--version']).toString().trim() !== process.version
  } catch {
    return false
  }
})

let loadErrors = 0
const onLoadError = () => {
  loadErrors += 1
}

const realReaders = {
  dotenv: (text) => dotenv.parse(text),
  'dotenv-expand': (text) =>
    dotenvExpand.expand({ parsed: dotenv.parse(text), processEnv: { PATH: '/usr/bin:/bin' } })
      .parsed,
  next: (text) => {
    const saved = { ...process.env }
    try {
      const file = { path: '.env.local', contents: text, env: {} }
      return nextEnv.processEnv([file], directory, { error: onLoadError }, true)[1]
    } finally {
      for (const name of Object.keys(process.env)) {
        if (!Object.hasOwn(saved, name)) delete process.env[name]
      }
      Object.assign(process.env, saved)
    }
  },
  node: (text) => parseEnv(text),
  dotenvx: (text) => {
    const processEnv = { PATH: '/usr/bin:/bin' }
    return (
      dotenvx.config({ path: write(text), processEnv, quiet: true, noArmor: true, noNative: true })
        .parsed ?? {}
    )
  },
  sh: shellReader('/bin/sh'),
} satisfies Partial<Record<DialectName, RealReader>>

function renderAll(name: DialectName, values: readonly string[]) {
  const entries = values.map((value, index) => ({ name: `V${index}`, key: `v${index}`, value }))
  const writable = entries.filter(({ value }) => encodeValue(dialects[name], value, true).ok)
  const { text, onlyThisReader } = renderEnvFile({
    path: '.env.local',
    existing: "MINE='kept'\n# a comment with ' and \" and `\n",
    entries: writable,
    dialect: dialects[name],
    header: { environment: 'staging', version: 42, writtenAt: '2026-11-21T06:00:00.000Z' },
    allowCommandLike: true,
  })
  return { text, writable, onlyThisReader }
}

const awkward = fc.string({
  unit: fc.constantFrom(...'abcA1 \t\n\r\'"`\\$#={}()!%&:~-_n'.split(''), '\u00FC', '\u2603'),
  maxLength: 24,
})
const anyText = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter((text) => !text.includes('\u0000'))
const harmless = (value: string) => !/\$\(/.test(value)

/** Lines as people write them, open quotes included. */
const strangeLines = fc
  .array(fc.tuple(fc.constantFrom('A', 'B', 'export C', '', '# '), awkward.filter(harmless)), {
    maxLength: 5,
  })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${value}\n`).join(''))

describe.each(['dotenv', 'dotenv-expand', 'next', 'node', 'dotenvx'] as const)('%s', (name) => {
  it('reads back every value of a written file, the user\u2019s own line too', () => {
    const { text, writable } = renderAll(name, nastyValues)
    const real = realReaders[name](text)
    expect(real['MINE']).toBe('kept')
    for (const entry of writable)
      expect([entry.name, real[entry.name]]).toEqual([entry.name, entry.value])
  })

  it('reads back random passwords and texts written for it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(awkward, anyText).filter(harmless), { maxLength: 6 }),
        (values) => {
          const { text, writable } = renderAll(name, values)
          const real = realReaders[name](text)
          for (const entry of writable) expect(real[entry.name]).toBe(entry.value)
        },
      ),
      { numRuns: 300, seed: fuzzSeed },
    )
  })
})

describe('vite', () => {
  it('reads back every value of a written file, the user\u2019s own line too', async () => {
    const { loadEnv } = await import('vite')
    const { text, writable } = renderAll('vite', nastyValues)
    const folder = mkdtempSync(join(directory, 'vite-'))
    writeFileSync(join(folder, '.env.local'), text)
    const real = loadEnv('development', folder, ['V', 'MINE'])
    expect(real['MINE']).toBe('kept')
    for (const entry of writable)
      expect([entry.name, real[entry.name]]).toEqual([entry.name, entry.value])
  })

  it('reads the same where signalbox run has set the variables of the file too', async () => {
    const { loadEnv } = await import('vite')
    const { text, writable } = renderAll('vite', nastyValues)
    const folder = mkdtempSync(join(directory, 'vite-'))
    writeFileSync(join(folder, '.env.local'), text)
    try {
      for (const { name, value } of writable) vi.stubEnv(name, value)
      const real = loadEnv('development', folder, ['V'])
      for (const { name, value } of writable) expect([name, real[name]]).toEqual([name, value])
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('reads back random texts written for it', async () => {
    const { loadEnv } = await import('vite')
    fc.assert(
      fc.property(fc.array(fc.oneof(awkward, anyText), { maxLength: 6 }), (values) => {
        const { text, writable } = renderAll('vite', values)
        const folder = mkdtempSync(join(directory, 'vite-'))
        writeFileSync(join(folder, '.env.local'), text)
        const real = loadEnv('development', folder, ['V'])
        for (const entry of writable) expect(real[entry.name]).toBe(entry.value)
      }),
      { numRuns: 150, seed: fuzzSeed },
    )
  })
})

describe.each(['dotenv', 'dotenv-expand', 'next', 'node', 'dotenvx'] as const)(
  'a file for %s with lines of the user',
  (name) => {
    it('is read back as a whole, the user\u2019s lines too, or not written', () => {
      let written = 0
      fc.assert(
        fc.property(
          strangeLines,
          fc.array(awkward.filter(harmless), { maxLength: 4 }),
          (own, values) => {
            const text = renderAround(name, own, values)
            if (text === undefined) return
            written += 1
            const real = realReaders[name](text)
            for (const [index, value] of values.entries()) expect(real[`V${index}`]).toBe(value)
            const users = realReaders[name](own)
            // Node reads an empty `export NAME=` differently at the end of a file.
            const ofFile = Object.keys(users).filter(
              (each) => process.env[each] === undefined && users[each] !== '',
            )
            for (const variable of ofFile) expect(real[variable]).toBe(users[variable])
          },
        ),
        { numRuns: 300, seed: fuzzSeed },
      )
      expect(written).toBeGreaterThan(30)
    })
  },
)

/** A file with lines of the user above and below our block, or nothing when it is refused. */
function renderAround(
  name: DialectName,
  own: string,
  values: readonly string[],
): string | undefined {
  try {
    return renderEnvFile({
      path: '.env.local',
      existing: own,
      entries: values.map((value, index) => ({ name: `V${index}`, key: `v${index}`, value })),
      dialect: dialects[name],
      header: { environment: 'staging', version: 42, writtenAt: '2026-11-21T06:00:00.000Z' },
      allowCommandLike: false,
    }).text
  } catch (error) {
    if (error instanceof CliError) return undefined
    throw error
  }
}

describe('a file for dotenv', () => {
  const others = ['node', 'dotenv-expand', 'next', 'dotenvx'] as const

  it('names each variable that another common program reads differently', () => {
    let alike = 0
    fc.assert(
      fc.property(
        fc.array(fc.oneof(awkward, anyText).filter(harmless), { maxLength: 6 }),
        (own) => {
          const { text, writable, onlyThisReader } = renderAll('dotenv', own)
          for (const other of others) {
            const real = realReaders[other](text)
            for (const { name, value } of writable) {
              if (onlyThisReader.includes(name)) continue
              alike += 1
              expect([other, real[name]]).toEqual([other, value])
            }
          }
        },
      ),
      { numRuns: 200, seed: fuzzSeed },
    )
    expect(alike).toBeGreaterThan(500)
  })
})

describe('compose', () => {
  /** Reads a value as compose-go's package dotenv does: the quote, the other escapes, then the dollars. */
  const read = (text: string) => {
    if (!text.startsWith('"')) return text
    const inside = text
      .slice(1, -1)
      .replaceAll(/\\([^])/g, (all, each) => (each === '"' ? '"' : all))
    const escapes: Record<string, string> = {
      n: '\n',
      r: '\r',
      t: '\t',
      '"': '"',
      '\\': '\\',
      $: '$$',
    }
    const plain = inside.replaceAll(
      /\\([abcfnrtv$"\\])/g,
      (all, each: string) => escapes[each] ?? all,
    )
    expect(plain.replaceAll('$$', '')).not.toContain('$')
    return plain.replaceAll('$$', () => '$')
  }

  it('reads back random texts written for it, by the rules of its reader', () => {
    fc.assert(
      fc.property(fc.oneof(awkward, anyText, fc.constantFrom(...nastyValues)), (value) => {
        const encoded = encodeValue(dialects.compose, value, false)
        expect(encoded.ok && read(encoded.text)).toBe(value)
      }),
      { numRuns: 1000, seed: fuzzSeed },
    )
  })
})

const hasDocker = spawnSync('docker', ['--version']).status === 0

describe.runIf(hasDocker)('docker', () => {
  let docker: DockerReader
  beforeAll(async () => {
    docker = await startDockerReader()
  })
  afterAll(() => docker.close())

  it('reads back every value of a written file', async () => {
    const { text, writable } = renderAll('docker', [...nastyValues, ...commandValues])
    const real = await docker.read(write(text))
    expect(real.get('MINE')).toBe("'kept'")
    for (const { name, value } of writable) expect([name, real.get(name)]).toEqual([name, value])
  })

  it('reads back random texts written for it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(awkward, anyText), { minLength: 5, maxLength: 20 }),
        async (values) => {
          const { text, writable } = renderAll('docker', values)
          const real = await docker.read(write(text))
          for (const { name, value } of writable) expect(real.get(name)).toBe(value)
        },
      ),
      { numRuns: 25, seed: fuzzSeed },
    )
  })
})

describe.each(['/bin/sh', '/bin/bash'])('%s', (shell) => {
  it('reads back every value, also those that look like commands', () => {
    const { text, writable } = renderAll('sh', [...nastyValues, ...commandValues])
    expect(writable).toHaveLength(nastyValues.length + commandValues.length)
    const real = shellReader(shell)(text)
    for (const entry of writable)
      expect([entry.name, real[entry.name]]).toEqual([entry.name, entry.value])
  })

  it('reads back random texts written for it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(awkward, anyText), { minLength: 5, maxLength: 20 }),
        (values) => {
          const { text, writable } = renderAll('sh', values)
          const real = shellReader(shell)(text)
          for (const entry of writable) expect(real[entry.name]).toBe(entry.value)
        },
      ),
      { numRuns: 30, seed: fuzzSeed },
    )
  })
})

it.runIf(otherNode !== undefined)('node of another version reads the same', () => {
  const { text, writable } = renderAll('node', nastyValues)
  const path = write(text)
  const output = execFileSync(otherNode ?? '', [
    '-e',
    `console.log(JSON.stringify(require('util').parseEnv(require('fs').readFileSync(${JSON.stringify(path)},'utf8'))))`,
  ])
  const real = JSON.parse(output.toString()) as Record<string, string>
  for (const entry of writable)
    expect([entry.name, real[entry.name]]).toEqual([entry.name, entry.value])
})

describe('how many of the nasty values each reader can be given', () => {
  const unwritable = (name: DialectName) =>
    nastyValues.filter((value) => !encodeValue(dialects[name], value, false).ok)

  it('is all or nearly all of them', () => {
    expect(unwritable('sh')).toEqual([])
    expect(unwritable('compose')).toEqual([])
    for (const name of ['dotenv', 'dotenv-expand', 'next', 'dotenvx'] as const) {
      expect(unwritable(name)).toEqual([])
    }
    // Node takes every carriage return out, and a quote that is open looks for its end below.
    const ofNode = [`'"\``, 'cr\r\nlf', 'lone\rcr']
    expect(unwritable('node')).toEqual(ofNode)
    expect(unwritable('vite')).toEqual(ofNode)
    expect(unwritable('docker')).toEqual(nastyValues.filter((value) => value.includes('\n')))
    expect(nastyValues).toHaveLength(49)
  })
})

describe('values that a reader runs', () => {
  it.each(commandValues)('are refused for dotenv, dotenv-expand and dotenvx: %s', (value) => {
    for (const name of ['dotenv', 'dotenv-expand', 'dotenvx'] as const) {
      expect(encodeValue(dialects[name], value, false).ok).toBe(false)
    }
  })

  it('are run by dotenv-expand when written in quotes: why the refusal exists', () => {
    const parsed = dotenv.parse("DANGER='$(printf ran)'\n")
    const processEnv = { PATH: '/usr/bin:/bin' }
    expect(dotenvExpand.expand({ parsed, processEnv }).parsed['DANGER']).toBe('ran')
    expect(readFileSync(import.meta.filename, 'utf8')).toContain('DANGER')
  })
})

vi.setConfig({ testTimeout: 120_000 })
