import { resolve } from 'node:path'
import { compareFlags, type Comparison } from '../../importers/compare/compare-flags.ts'
import type { Judge, OpenJudge } from '../../importers/compare/judge.ts'
import { judges } from '../../importers/compare/judges.ts'
import { loadSdk } from '../../importers/compare/load-sdk.ts'
import { readContexts } from '../../importers/compare/read-contexts.ts'
import { renderComparison } from '../../importers/compare/render-comparison.ts'
import {
  ExportError,
  type Importer,
  type ReadExport,
  type ReadOptions,
} from '../../importers/importer.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'

/** Describes an export whose flags are compared. */
export interface ComparedExport {
  readonly importer: Importer
  /** Names the product, as people write it. */
  readonly name: string
  readonly text: string
  readonly options: ReadOptions
  readonly read: ReadExport
  /** Names the file with the contexts. */
  readonly contexts: string
}

/** Returns the SDK that decides the flags of a source. @throws {CliError} `no_sdk` */
export function requireJudge({ source }: Importer, name: string): Judge {
  const judge = judges.get(source)
  if (judge !== undefined) return judge
  const able = [...judges.keys()].join(', ')
  throw new CliError('usage', 'no_sdk', `Flags of ${name} can't be compared.`, {
    advice: `--compare takes ${able}, whose SDKs decide by an export.`,
  })
}

/**
 * Decides the same contexts with the product's SDK, which the project has installed, and with the rules that the import would
 * store, and lists where they differ. Stores nothing, and asks no server.
 */
export async function compareImport(
  session: Session,
  compared: ComparedExport,
): Promise<{ readonly exitWith: number } | undefined> {
  const { importer, name, read, contexts } = compared
  const judge = requireJudge(importer, name)
  const load = await loadSdk(judge, { cwd: session.cwd, trust: await session.trust() })
  const open = await guard(judge, async () => judge.open(load, compared.text, compared.options))
  const comparison = await compareWith(session, judge, open, { read, contexts })
  session.output.document({ source: importer.source, ...comparison })
  session.output.result(renderComparison(comparison).map(printable).join('\n'))
  return comparison.different > 0 ? { exitWith: exitCodes.differences } : undefined
}

async function compareWith(
  { cwd, progress }: Session,
  judge: Judge,
  open: OpenJudge,
  { read, contexts }: Pick<ComparedExport, 'read' | 'contexts'>,
): Promise<Comparison> {
  try {
    const comparison = await guard(judge, () =>
      progress('Comparing', () => compareFlags(read, open, readContexts(resolve(cwd, contexts)))),
    )
    if (comparison.contexts > 0) return comparison
    throw new CliError('validation', 'no_contexts', `${contexts} has no contexts.`)
  } catch (error) {
    if (error instanceof ExportError) {
      throw new CliError('validation', 'invalid_contexts', `${contexts}: ${error.message}`)
    }
    throw error
  } finally {
    await open.close()
  }
}

/** Says that the SDK failed, whose version may be none that this command knows. */
async function guard<Result>({ packages }: Judge, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isOurs = error instanceof CliError || error instanceof ExportError || isOfFile(error)
    if (isOurs) throw error
    const [sdk] = packages
    const message = error instanceof Error ? error.message : String(error)
    throw new CliError('failure', 'sdk_failed', `${sdk} failed: ${message}`, {
      advice: `Try its current version: npm install --no-save ${packages.map((one) => `${one}@latest`).join(' ')}`,
      cause: error,
    })
  }
}

function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
