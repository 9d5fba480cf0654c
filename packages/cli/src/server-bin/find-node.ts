import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Trust } from '../project/file-owner.ts'
import { CliError } from '../terminal/cli-error.ts'
import { findPackage, firstExisting } from './find-package.ts'

const minimum = [22, 18] as const

/** Returns a Node that can run the server: this one, or the one that came with the project's dependencies. */
export async function findServerNode(
  startingPoints: readonly string[],
  trust: Trust,
): Promise<string> {
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
