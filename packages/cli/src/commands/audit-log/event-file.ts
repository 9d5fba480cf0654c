import { open, type FileHandle } from 'node:fs/promises'
import { CliError } from '../../terminal/cli-error.ts'

/** Describes a file of events that is continued. */
export interface EventFile {
  /** Holds the sequence of its last event; 0: it has none. */
  readonly lastSequence: number
  append(line: string): Promise<void>
  close(): Promise<void>
}

const blockBytes = 64 * 1024

/**
 * Opens a file of events, which only its owner can read when it is new. A last line that was cut off is removed.
 *
 * @throws {CliError} `not_an_audit_log` for a file of something else, `after_and_file` where `after` contradicts the file
 */
export async function openEventFile(path: string, after: number | undefined): Promise<EventFile> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { line, end } = await readLastLine(file)
    const isNew = (await file.stat()).size === 0
    const lastSequence = isNew ? (after ?? 0) : sequenceOf(line ?? '', path)
    if (after !== undefined && after !== lastSequence) {
      const message = `${path} ends with the event ${lastSequence}.`
      throw new CliError('usage', 'after_and_file', message, {
        advice: 'Leave out --after, or give another file.',
      })
    }
    await file.truncate(end)
    return {
      lastSequence,
      append: (text) => file.appendFile(`${text}\n`),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads backwards to the last line that is whole. `end` is the byte after it. */
async function readLastLine(
  file: FileHandle,
): Promise<{ readonly line: string | undefined; readonly end: number }> {
  const { size } = await file.stat()
  let tail = Buffer.alloc(0)
  for (let from = size; from > 0;) {
    const start = Math.max(0, from - blockBytes)
    const block = Buffer.alloc(from - start)
    await file.read(block, 0, block.length, start)
    tail = Buffer.concat([block, tail])
    from = start
    const last = tail.lastIndexOf(0x0a)
    const before = last <= 0 ? -1 : tail.lastIndexOf(0x0a, last - 1)
    if (last === -1 || (before === -1 && from > 0)) continue
    return { line: tail.subarray(before + 1, last).toString('utf8'), end: from + last + 1 }
  }
  return { line: undefined, end: 0 }
}

function sequenceOf(line: string, path: string): number {
  const sequence = readSequence(line)
  if (sequence !== undefined) return sequence
  throw new CliError('validation', 'not_an_audit_log', `${path} holds no audit log.`, {
    advice: 'Choose another file: this one stays as it is.',
  })
}

function readSequence(line: string): number | undefined {
  try {
    const event: unknown = JSON.parse(line)
    const sequence =
      typeof event === 'object' && event !== null && 'sequence' in event
        ? event.sequence
        : undefined
    return typeof sequence === 'number' && Number.isSafeInteger(sequence) ? sequence : undefined
  } catch {
    return undefined
  }
}
