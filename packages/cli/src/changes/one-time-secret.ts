import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { textFlag } from '../cli-context.ts'
import { writeSecretFile } from '../project/secret-file.ts'
import { assertWritablePath } from '../project/write-file.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Names the file that a new secret goes to. */
export const secretFileFlag = textFlag(
  'path',
  'File for the secret, which only you can read (default: printed)',
)

/**
 * Reads a secret from standard input: as a flag it would be in the process list.
 *
 * @throws {CliError} `usage`, `value_required`
 */
export async function readSecretLine({ stdin, flags }: Session, what: string): Promise<string> {
  if (flags.tokenStdin) {
    const why = 'Standard input can hold the token or another secret, not both.'
    throw new CliError('usage', 'usage', why)
  }
  const secret = (await text(stdin)).trim()
  if (secret !== '') return secret
  throw new CliError('usage', 'value_required', `${what} is missing: stdin is empty.`)
}

/** Refuses a path that cannot be written, before anything is created whose secret would be lost. */
export async function assertSecretFile(session: Session, file: string | undefined): Promise<void> {
  if (file === undefined) return
  const path = resolve(session.cwd, file)
  await assertWritablePath(path)
  await writeSecretFile({ path, text: '', projectDirectory: session.cwd, dryRun: true })
}

interface OneTimeSecret {
  /** Holds what the document shows beside it. */
  readonly document: Readonly<Record<string, unknown>>
  readonly secret: string
  /** Names it, and whom to give it to. Examples: `signing secret`, `the receiver`. */
  readonly noun: string
  readonly to: string
}

/** Prints a secret, or writes it to a file. The server does not show it again. */
export async function printSecret(
  session: Session,
  { document, secret, noun, to }: OneTimeSecret,
  file: string | undefined,
): Promise<void> {
  const { output } = session
  if (file === undefined) {
    output.document({ ...document, secret })
    output.note(`Its ${noun}. Give it to ${to} now: it is not shown again.`)
    output.data(secret)
    return
  }
  const path = resolve(session.cwd, file)
  await writeSecretFile({
    path,
    text: `${secret}\n`,
    projectDirectory: session.cwd,
    dryRun: false,
  })
  output.document({ ...document, secretFile: path })
  output.note(`Its ${noun} is in ${path}, which only you can read.`)
}
