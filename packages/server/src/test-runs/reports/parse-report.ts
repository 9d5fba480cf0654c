import { Problem } from '@signalbox/contract'
import { parseCtrf } from './parse-ctrf.ts'
import { parseJunit } from './parse-junit.ts'
import type { TestReport } from './test-report.ts'

/**
 * Reads a report by its content type.
 *
 * @throws {Problem} `unsupported_media_type`, `invalid_report`
 */
export function parseReport(contentType: string | undefined, bytes: Buffer): TestReport {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json') return parseCtrf(bytes)
  if (type === 'application/xml' || type === 'text/xml') return parseJunit(bytes)
  const detail = 'Send CTRF with Content-Type: application/json, or JUnit with application/xml.'
  throw new Problem('unsupported_media_type', detail)
}
