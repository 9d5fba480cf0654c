import { CliError } from '../terminal/cli-error.ts'
import { openDownload, type HttpOptions } from './http.ts'
import type { CallInput } from './operations.ts'

/** Lists the operations that answer lines of JSON. */
export type DownloadName = 'exportAuditEvents'

/** Reads an answer line by line, however long it is; throws an `ApiError` for a problem. */
export type Download = (
  operation: DownloadName,
  input: CallInput<DownloadName>,
) => AsyncGenerator<string>

/**
 * Creates the downloads of one server. Nothing is repeated: the reader continues after the last line that it has.
 *
 * @throws {CliError} `download_cut` when the connection breaks before the end
 */
export function createDownload(options: HttpOptions): Download {
  return async function* lines(operation, input) {
    const body = await openDownload(options, operation, input)
    if (body === null) return
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const bytes of body) {
        const whole = (rest + decoder.decode(bytes, { stream: true })).split('\n')
        rest = whole.pop() ?? ''
        yield* whole
      }
    } catch (cause) {
      throw cut(cause)
    }
    if (rest !== '') throw cut(undefined)
  }
}

function cut(cause: unknown): CliError {
  const message = 'The connection broke before the end of the download.'
  return new CliError('unreachable', 'download_cut', message, {
    advice: 'Repeat the command. With --output it continues after the last event of the file.',
    cause,
  })
}
