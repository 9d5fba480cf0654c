import { resolve } from 'node:path'
import { textFlag } from '../../cli-context.ts'
import { writeSecretFile } from '../../project/secret-file.ts'
import { assertWritablePath } from '../../project/write-file.ts'
import type { Session } from '../../session.ts'

/** Describes the flag that keeps a secret off the terminal. */
export const secretFileFlag = textFlag(
  'path',
  'File for the secret, which only you can read (default: printed)',
)

/** Refuses a path that cannot be written, before anything is created whose secret would be lost. */
export async function assertSecretFile(session: Session, file: string | undefined): Promise<void> {
  if (file === undefined) return
  const path = resolve(session.cwd, file)
  await assertWritablePath(path)
  await writeSecretFile({ path, text: '', projectDirectory: session.cwd, dryRun: true })
}

/** Prints the secret of a webhook, or writes it to a file. The server does not show it again. */
export async function printSecret(
  session: Session,
  { secret, ...webhook }: { readonly secret: string },
  file: string | undefined,
): Promise<void> {
  const { output } = session
  if (file === undefined) {
    output.document({ webhook, secret })
    output.note('Its signing secret. Give it to the receiver now: it is not shown again.')
    output.data(secret)
    return
  }
  const path = resolve(session.cwd, file)
  const text = `${secret}\n`
  await writeSecretFile({ path, text, projectDirectory: session.cwd, dryRun: false })
  output.document({ webhook, secretFile: path })
  output.note(`Its signing secret is in ${path}, which only you can read.`)
}
