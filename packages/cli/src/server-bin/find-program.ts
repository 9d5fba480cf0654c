import process from 'node:process'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Trust } from '../project/file-owner.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { findPackage, firstExisting } from './find-package.ts'

/** Describes how a program of ours is started: a Node, and its arguments. */
export interface Program {
  readonly node: string
  readonly args: readonly string[]
}

/** Describes a package of ours that is a program, and its name for people. */
export interface ProgramPackage {
  readonly name: '@signalbox/server' | '@signalbox/sandbox'
  /** Example: `server`. */
  readonly called: string
}

/**
 * Finds the installed program of a package, and a Node that runs it.
 *
 * @throws {CliError} `server_not_installed`, `sandbox_not_installed`, `server_not_built`, `sandbox_not_built`, `node_too_old`
 */
export async function findProgram(
  session: Session,
  { name, called }: ProgramPackage,
): Promise<Program> {
  const own = fileURLToPath(import.meta.url)
  const trust = await session.trust()
  const startingPoints = [session.cwd, dirname(own)]
  const directory = await findPackage(name, startingPoints, trust)
  if (directory === undefined) {
    throw new CliError(
      'failure',
      `${called}_not_installed`,
      `The ${called} is not installed here.`,
      {
        advice: `npm install ${name}`,
      },
    )
  }
  const node = await findServerNode([...startingPoints, directory], trust)
  const built = join(directory, 'dist/main.js')
  const source = join(directory, 'src/main.ts')
  const path = await firstExisting(own.endsWith('.ts') ? [source, built] : [built, source])
  if (path === undefined) {
    throw new CliError('failure', `${called}_not_built`, `${directory} has no dist/main.js.`, {
      advice: 'In a checkout of Signalbox: npm run build',
    })
  }
  return { node, args: path === source ? ['--conditions=@signalbox/source', path] : [path] }
}

const minimum = [22, 18] as const

/** Returns a Node that can run the server: this one, or the one that came with the project's dependencies. */
async function findServerNode(startingPoints: readonly string[], trust: Trust): Promise<string> {
  if (isRecentEnough(process.versions.node)) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const directory = await findPackage(`node-${platform}-${process.arch}`, startingPoints, trust)
  const names =
    directory === undefined ? [] : [join(directory, 'bin/node'), join(directory, 'bin/node.exe')]
  const path = await firstExisting(names)
  if (path !== undefined && (await reportsRecentVersion(path))) return path
  throw new CliError(
    'failure',
    'node_too_old',
    `The server needs Node 22.18 or newer; this is ${process.versions.node}.`,
    { advice: `Install a newer Node, or add one to the project: npm install --save-dev node@24` },
  )
}

function isRecentEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1])
}

async function reportsRecentVersion(path: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 5_000 })
    return isRecentEnough(stdout.trim().replace(/^v/, ''))
  } catch {
    return false
  }
}
