import { runChild, type ChildEnd } from '../run/run-child.ts'
import type { Session } from '../session.ts'
import { findProgram } from './find-program.ts'

/** Lists the variables of the command line, which are not passed on: the server refuses unknown names. */
const clientVariables = [
  'SIGNALBOX_TOKEN',
  'SIGNALBOX_IDENTITY_TOKEN_FILE',
  'SIGNALBOX_ID_TOKEN',
  'SIGNALBOX_KEY_ID',
  'SIGNALBOX_URL',
  'SIGNALBOX_PROFILE',
  'SIGNALBOX_ORGANIZATION',
  'SIGNALBOX_ENVIRONMENT',
  'SIGNALBOX_SCHEMA',
  'SIGNALBOX_SCHEMA_ID',
  'SIGNALBOX_ENVIRONMENT_ID',
  'SIGNALBOX_SAFE_DIRECTORY',
  'SIGNALBOX_ALLOW_HTTP',
  'SIGNALBOX_PASSPHRASE',
  'SIGNALBOX_PASSPHRASE_FILE',
] as const

/** Runs the installed server's own command with `args`, in our place. */
export async function runServer(session: Session, args: readonly string[]): Promise<ChildEnd> {
  const program = await findProgram(session, { name: '@signalbox/server', called: 'server' })
  session.output.detail(`${program.node} ${program.args.join(' ')}`)
  return runChild(session, program.node, [...program.args, ...args], serverEnvironment(session))
}

function serverEnvironment({ env: ours }: Session): NodeJS.ProcessEnv {
  const env = { ...ours }
  for (const name of clientVariables) delete env[name]
  return env
}
