import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  connectAgain,
  setUp,
  type DemoAccount,
  type SetUp,
} from '../../packages/cli/src/demo/set-up.ts'
import { CliError } from '../../packages/cli/src/terminal/cli-error.ts'

/** Describes a service to furnish. */
interface Furnish extends Omit<SetUp, 'setupUrl'> {
  /** Keeps the account of the demo between starts. */
  readonly file: string
  /** Holds the address of the set-up. Absent: it was made at an earlier start. */
  readonly setupUrl: unknown
}

/** Sets the service up with the data of the demo, or connects it to the sandbox again, which has forgotten it. */
export async function furnish({ file, setupUrl, ...options }: Furnish): Promise<DemoAccount> {
  if (typeof setupUrl === 'string') {
    const { account } = await setUp({ ...options, setupUrl })
    writeFileSync(file, JSON.stringify(account), { mode: 0o600 })
    return account
  }
  if (!existsSync(file)) {
    const advice = `Remove the folder ${dirname(file)} and start again.`
    throw new CliError('failure', 'no_account', 'The first start was interrupted.', { advice })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it was written above
  const account = JSON.parse(readFileSync(file, 'utf8')) as DemoAccount
  await connectAgain(options, account)
  return account
}
