import type { Command } from '@stricli/core'
import { defineCommand, type CommandParts } from '../../action.ts'
import { type CliContext, globalFlags } from '../../cli-context.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { runServer } from '../../server-bin/run-server.ts'

/** Creates a command that runs the server's own program, with the data directory or database of this machine. */
function delegate(
  name: string,
  {
    placeholder,
    minimum = 0,
    ...parts
  }: Pick<CommandParts<never, []>, 'about' | 'examples'> & {
    readonly placeholder: string
    /** Holds the least number of arguments. */
    readonly minimum?: number
  },
): Command<CliContext> {
  return defineCommand({
    ...parts,
    flags: {
      yes: { ...globalFlags.yes, hidden: true },
      dryRun: { ...globalFlags.dryRun, hidden: true },
    },
    args: { brief: 'Passed on to the server', placeholder, minimum },
    run: async (session, flags, ...args) => {
      if (flags.dryRun) throw new CliError('usage', 'no_dry_run', `${name} has no dry run.`)
      const passed = flags.json ? ['--json'] : []
      return { exitWith: await runServer(session, [name, ...passed, ...args]) }
    },
  })
}

const where = 'Uses the data directory (SIGNALBOX_DATA_DIR) or the database (DATABASE_URL) directly'
const whereBesideService = `${where}, even while the service runs.`

/** Defines `signalbox start`. */
export const startCommand = delegate('start', {
  about:
    'Starts the installed @signalbox/server: API, worker and configuration delivery, with an embedded database unless DATABASE_URL is set. Ctrl+C stops it gracefully.',
  examples: ['signalbox start', 'SIGNALBOX_API_PORT=0 signalbox start --json'],
  placeholder: 'argument',
})

/** Defines `signalbox migrate`. */
export const migrateCommand = delegate('migrate', {
  about: `Runs the migrations that the first node of a version would run at its start, and ends. ${whereBesideService}`,
  examples: ['signalbox migrate'],
  placeholder: 'argument',
})

/** Defines `signalbox export`. */
export const exportCommand = delegate('export', {
  about: `Writes everything except the root key to one file, as of one moment. ${whereBesideService}`,
  examples: ['signalbox export backup.signalbox'],
  placeholder: 'file',
  minimum: 1,
})

/** Defines `signalbox env`. */
export const envCommand = delegate('env', {
  about: 'Prints every setting, where its value comes from and the value, masked if it is secret.',
  examples: ['signalbox env'],
  placeholder: 'argument',
})

/** Defines `signalbox verify-audit`. */
export const verifyAuditCommand = delegate('verify-audit', {
  about: `Recomputes the hash chain of the audit log and names the first event that doesn't match. ${whereBesideService}`,
  examples: ['signalbox verify-audit'],
  placeholder: 'argument',
})

/** Defines `signalbox reset-password`. */
export const resetPasswordCommand = delegate('reset-password', {
  about: `Prints a new password once, and ends all sessions of the person. ${whereBesideService}`,
  examples: ['signalbox reset-password ada@example.com'],
  placeholder: 'email',
  minimum: 1,
})

/** Defines `signalbox publisher-keys`. */
export const publisherKeysCommand = delegate('publisher-keys', {
  about: `Prints the public keys that clients verify snapshots with. "add" creates another key, and every snapshot is then signed by both; "retire" ends the older one. "new-epoch" lets clients take older versions after the database was restored. ${whereBesideService}`,
  examples: ['signalbox publisher-keys', 'signalbox publisher-keys add'],
  placeholder: 'step',
})

/** Defines `signalbox replica`. */
export const replicaCommand = delegate('replica', {
  about:
    'Reads what a relay with the same settings would be fed with: SIGNALBOX_ROLES=relay, SIGNALBOX_UPSTREAM_URL, SIGNALBOX_UPSTREAM_KEY and SIGNALBOX_PUBLISHER_KEYS. Carry the file into a network without a way to the server; a relay with SIGNALBOX_UPSTREAM_PATH serves it there.',
  examples: ['signalbox replica export values.replica'],
  placeholder: 'argument',
  minimum: 2,
})

/** Defines `signalbox nats-user`. */
export const natsUserCommand = delegate('nats-user', {
  about: `Writes the seed of a user of NATS to a file, and prints its rights for the configuration of nats-server: "publisher" for the nodes with the role worker, or the name of a delivery group for its nodes. For a file that is there, prints the rights that its user should have now. ${whereBesideService}`,
  examples: ['signalbox nats-user publisher publisher.seed', 'signalbox nats-user eu eu.seed'],
  placeholder: 'group|file',
  minimum: 2,
})

/** Defines `signalbox rotate-root-key`. */
export const rotateRootKeyCommand = delegate('rotate-root-key', {
  about: `Wraps every data key under a new root key. With the embedded database the command creates that key; with DATABASE_URL, first give every node both: SIGNALBOX_ROOT_KEY=<next>,<present>. If it is interrupted, run it again. ${whereBesideService}`,
  examples: ['signalbox rotate-root-key'],
  placeholder: 'argument',
})
