import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { CliError } from '../../terminal/cli-error.ts'

/** Describes a report file and its format. */
export interface ReportFile {
  /** Holds the path from the working directory, with slashes. Example: `results/junit-1.xml`. */
  readonly path: string
  readonly format: 'CTRF' | 'JUnit'
  readonly type: 'application/json' | 'application/xml'
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Limits the bytes of one report, as the server does. */
const longestBytes = 20 * 1024 * 1024

/**
 * Reads a report. The format follows from its content, not from its name: every tool names its files differently.
 *
 * @throws {CliError} `report_not_found`, `report_too_large`, `not_a_report`, or why it cannot be read
 */
export async function readReportFile(cwd: string, name: string): Promise<ReportFile> {
  const absolutePath = resolve(cwd, name)
  const bytes = await readBytes(absolutePath, name)
  const path = relative(cwd, absolutePath).replaceAll('\\', '/')
  if (bytes.length > longestBytes) {
    throw new CliError('validation', 'report_too_large', `${name} is larger than 20 MiB.`, {
      advice: 'Split it into several files of one run, without attachments.',
    })
  }
  const beginning = readBeginning(bytes)
  if (beginning.startsWith('<')) return { path, format: 'JUnit', type: 'application/xml', bytes }
  if (beginning.startsWith('{')) return { path, format: 'CTRF', type: 'application/json', bytes }
  const what = beginning === '' ? 'is empty' : 'is neither XML nor a JSON object'
  throw new CliError('validation', 'not_a_report', `${name} ${what}.`, {
    advice:
      'Use JUnit XML or CTRF JSON, as most test runners write them: --reporter=junit, or a CTRF reporter.',
  })
}

/** UTF-16 has a zero beside each of these characters, and perhaps a mark that is no UTF-8. */
function readBeginning(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 1024))
  return text
    .replaceAll('\0', '')
    .replace(/^\uFFFD+/, '')
    .trimStart()
}

async function readBytes(path: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') {
      throw new CliError('usage', 'report_not_found', `There is no file ${name}.`, {
        advice: `The command looked for it at ${path}. Check that the step that writes it runs first, and in this directory.`,
        cause: error,
      })
    }
    if (code === 'EISDIR') {
      throw new CliError('usage', 'report_not_found', `${name} is a directory.`, {
        advice: `Name the files in it: ${name}/*.xml`,
        cause: error,
      })
    }
    throw error
  }
}
