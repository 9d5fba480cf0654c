import { invalidReport, reportLimits } from './test-report.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes a report: by its byte order mark, as UTF-8, or in the encoding that its XML declaration names. Reads valid
 * UTF-8 as UTF-8 whatever it declares: a tool that builds a text before it writes the file declares the encoding of the
 * text. Invalid bytes cost a character and not the report, because they are output of the program under test.
 *
 * @throws {Problem} `invalid_report`
 */
export function decodeReport(bytes: Buffer): string {
  if (bytes.length > reportLimits.bytes) {
    throw invalidReport('', `A report may have at most ${reportLimits.bytes} bytes.`)
  }
  if (bytes.length === 0) throw invalidReport('', 'The report is empty.')
  const wide = wideEncodingOf(bytes)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  try {
    return utf8.decode(bytes)
  } catch {
    return decoderOf(bytes).decode(bytes)
  }
}

/** UTF-16 by its mark, or by the zero beside the first character, which is `<` or `{`. */
function wideEncodingOf([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return undefined
}

function decoderOf(bytes: Buffer): InstanceType<typeof TextDecoder> {
  const declaration = bytes.toString('latin1', 0, 200)
  const [, declared] = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration) ?? []
  try {
    return new TextDecoder(declared ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}
