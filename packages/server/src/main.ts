import { parseArgs } from 'node:util'
import { UsageError, type Command, type Terminal } from './commands/command.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { rotateRootKeyCommand } from './commands/rotate-root-key.ts'
import { showEnvironment } from './commands/show-environment.ts'
import { startCommand } from './commands/start.ts'
import { verifyAudit } from './commands/verify-audit.ts'
import { readSettings, SettingsError } from './settings.ts'
import { DataDirectoryInUse } from './store/embedded/data-directory-in-use.ts'
import { serverVersion } from './version.ts'

const commands = {
  start: startCommand,
  export: exportCommand,
  import: importCommand,
  env: showEnvironment,
  'verify-audit': verifyAudit,
  'rotate-root-key': rotateRootKeyCommand,
} as const satisfies Record<string, Command>

const usage = `Usage: signalbox-server [command] [--json]

  start                    run the service (the default)
  env                      every setting, where it comes from, its value (secrets masked)
  export <file>            everything but the root key, in one file
  import <file> [--force]  fill an empty database from an export; --force replaces what is there
  verify-audit             recompute the audit chains
  rotate-root-key          replace the root key while the service runs
`

const terminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY,
}

// Whoever reads the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  })
  const [name = 'start', ...operands] = positionals
  if (values.version) return print(serverVersion)
  if (values.help) return print(usage)
  const command = Object.entries(commands).find(([known]) => known === name)?.[1]
  if (command === undefined) throw new UsageError(`There is no command ${name}.\n\n${usage}`)
  const { json, force } = values
  return command({ settings: () => readSettings(), operands, json, force, terminal })
}

function print(text: string): number {
  terminal.out(text)
  return 0
}

/** What the person who typed it can mend is one sentence; what only we can mend keeps its stack. */
function explain(error: unknown): { readonly text: string; readonly code: number } {
  if (error instanceof UsageError || error instanceof SettingsError) {
    return { text: error.message, code: 2 }
  }
  if (error instanceof DataDirectoryInUse) return { text: error.message, code: 1 }
  if (!(error instanceof Error)) return { text: String(error), code: 1 }
  if ('code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return { text: `${error.message}\n\n${usage}`, code: 2 }
  }
  return { text: error.message, code: 1 }
}

try {
  process.exitCode = await run()
} catch (error) {
  const { text, code } = explain(error)
  terminal.err(text)
  process.exitCode = code
}
