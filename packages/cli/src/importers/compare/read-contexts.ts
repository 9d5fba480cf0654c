import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { EvaluationContext } from '@signalbox/contract'
import { isObject } from '../read-json.ts'
import { ExportError } from '../importer.ts'

/** Holds a context of a file, with the number of its line. */
export interface NumberedContext {
  readonly line: number
  readonly context: EvaluationContext
}

/**
 * Reads contexts, one JSON object a line. Empty lines are skipped. Example of a line: `{"targetingKey":"user-1","plan":"pro"}`.
 *
 * @throws {ExportError} with the line of the violation
 */
export async function* readContexts(path: string): AsyncGenerator<NumberedContext> {
  const input = createReadStream(path, 'utf8')
  let line = 0
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1
    // An editor may have put the mark of UTF-8 first.
    const bare = (line === 1 ? text.replace(/^\uFEFF/, '') : text).trim()
    if (bare !== '') yield { line, context: parseContext(bare, line) }
  }
}

function parseContext(text: string, line: number): EvaluationContext {
  const value = orUndefined(text)
  if (isObject(value)) return value
  throw new ExportError(
    `Line ${line} is no JSON object. Write one context on each line, such as {"targetingKey":"user-1","plan":"pro"}.`,
  )
}

function orUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
