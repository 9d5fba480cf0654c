import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import process from 'node:process'
import type { Surroundings } from '../cli-context.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Limits an export: more would not fit into a text, nor into the memory of a small machine. */
const exportMaxBytes = 256 * 1024 * 1024

function tooLarge(name: string): CliError {
  const message = `${name} has more than ${exportMaxBytes / 1024 / 1024} MiB. Nothing was read.`
  const advice = 'Export one project or one environment at a time.'
  return new CliError('validation', 'export_too_large', message, { advice })
}

/** Describes where an export is read from. */
export interface ExportFile {
  /** Names the file. `-` is standard input. */
  readonly path: string
  readonly cwd: string
  readonly stdin: Surroundings['stdin']
  readonly holdsSecrets: boolean
  /** Says that standard input holds the token already. */
  readonly hasTokenOnStdin: boolean
}

/**
 * Reads an export. A file with secrets has to be its owner's alone, as those that the command writes.
 *
 * @throws {CliError} `stdin_twice`, `stdin_is_terminal`, `secrets_exposed`
 */
export async function readExportFile(file: ExportFile): Promise<string> {
  if (file.path === '-') return readStdin(file)
  const path = resolve(file.cwd, file.path)
  const handle = await open(path)
  try {
    const stats = await handle.stat()
    const isExposed = stats.isFile() && (stats.mode & 0o077) !== 0
    if (file.holdsSecrets && isExposed && process.platform !== 'win32') {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
      throw new CliError(
        'validation',
        'secrets_exposed',
        `${file.path} can be read by others (mode ${mode}), and may hold secrets. Nothing was read.`,
        { advice: `chmod 600 ${file.path}\nor pipe it: … | signalbox import <source> -` },
      )
    }
    if (stats.size > exportMaxBytes) throw tooLarge(file.path)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

async function readStdin({ hasTokenOnStdin, stdin }: ExportFile): Promise<string> {
  if (hasTokenOnStdin) {
    throw new CliError('usage', 'stdin_twice', 'stdin holds the token, so it holds no export.', {
      advice: 'Pass the token as SIGNALBOX_TOKEN, or the export as a file.',
    })
  }
  if (stdin.isTTY) {
    throw new CliError(
      'usage',
      'stdin_is_terminal',
      'The export is read from stdin, which is a terminal.',
      {
        advice: 'Pipe it: … | signalbox import <source> -',
      },
    )
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk)
    size += part.length
    if (size > exportMaxBytes) throw tooLarge('stdin')
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}
