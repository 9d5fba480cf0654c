import { natsUserCommand } from '../../../packages/server/src/commands/nats-user.ts'
import { readSettings } from '../../../packages/server/src/settings.ts'

/** Describes what the command has printed. */
export interface PrintedUser {
  /** Holds what is for the configuration of nats-server. */
  readonly entry: string
  readonly messages: string
}

/** Runs `signalbox-server nats-user <name> <file>`, and returns what it prints. */
export async function runNatsUser(
  variables: Readonly<Record<string, string>>,
  ...operands: readonly string[]
): Promise<PrintedUser> {
  const out: string[] = []
  const err: string[] = []
  await natsUserCommand({
    settings: () => readSettings(variables),
    operands,
    json: false,
    force: false,
    events: {},
    terminal: { out: (line) => out.push(line), err: (line) => err.push(line), isTerminal: false },
  })
  return { entry: out.join('\n'), messages: err.join('\n') }
}
