import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runChild, type ChildEnd } from '../run/run-child.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'
import { findServerNode } from './find-node.ts'
import { findPackage, firstExisting } from './find-package.ts'

/** Variables only the command line reads. The server refuses names it does not know, so they stay here. */
const clientVariables = [
  'SIGNALBOX_TOKEN',
  'SIGNALBOX_URL',
  'SIGNALBOX_PROFILE',
  'SIGNALBOX_ORGANIZATION',
  'SIGNALBOX_ENVIRONMENT',
  'SIGNALBOX_SCHEMA_ID',
  'SIGNALBOX_ENVIRONMENT_ID',
  'SIGNALBOX_SAFE_DIRECTORY',
  'SIGNALBOX_ALLOW_HTTP',
] as const

/** Runs the installed server's own command with `args`, in our place. */
export async function runServer(session: Session, args: readonly string[]): Promise<ChildEnd> {
  const own = fileURLToPath(import.meta.url)
  const trust = await session.trust()
  const startingPoints = [session.cwd, dirname(own)]
  const directory = await findPackage('@signalbox/server', startingPoints, trust)
  if (directory === undefined) throw notInstalled()
  const node = await findServerNode([...startingPoints, directory], trust)
  const main = await serverMain(directory, own.endsWith('.ts'))
  session.output.detail(`${node} ${main.args.join(' ')}`)
  return runChild({
    command: node,
    args: [...main.args, ...args],
    env: serverEnvironment(),
    cwd: session.cwd,
  })
}

async function serverMain(directory: string, fromSource: boolean): Promise<{ args: string[] }> {
  const built = join(directory, 'dist/main.js')
  const source = join(directory, 'src/main.ts')
  const path = await firstExisting(fromSource ? [source, built] : [built, source])
  if (path === undefined) {
    throw new CliError('failure', 'server_not_built', `${directory} has no dist/main.js.`, {
      hint: 'In a checkout of Signalbox: npm run build',
    })
  }
  return { args: path === source ? ['--conditions=@signalbox/source', path] : [path] }
}

function serverEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of clientVariables) delete env[name]
  return env
}

function notInstalled(): CliError {
  return new CliError('failure', 'server_not_installed', 'The server is not installed here.', {
    hint: 'npm install @signalbox/server',
  })
}
