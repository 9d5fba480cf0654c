import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { findServerNode } from './find-node.ts'
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
