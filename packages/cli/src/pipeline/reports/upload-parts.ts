import { createHash } from 'node:crypto'
import type { TestRun } from '../../api/operations.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { Upload } from './open-upload.ts'
import { readReportFile, type ReportFile } from './read-report-file.ts'

/** Describes a file that was named: its report, or why there is none. */
export type Part = { readonly file: ReportFile } | RefusedPart

/** Describes a file that was refused, here or by the server. */
export interface RefusedPart {
  readonly path: string
  readonly error: CliError
  /** Says whether it could be read here. */
  readonly isRead: boolean
}

/** Reads a file. What is wrong with it is no reason not to look at the others. */
export async function readPart(cwd: string, name: string): Promise<Part> {
  try {
    return { file: await readReportFile(cwd, name) }
  } catch (error) {
    if (error instanceof CliError) return { path: name, error, isRead: false }
    throw error
  }
}

/** Describes how parts are uploaded. */
export interface PartFlags {
  readonly shard?: string | undefined
  readonly repeats?: 'tests' | 'retries' | undefined
}

/** Names what the server has against a report itself, and not against the upload. */
const rejectionCodes: ReadonlySet<string> = new Set([
  'invalid_report',
  'unsupported_media_type',
  'body_too_large',
])

/**
 * Uploads all parts, one after the other, and tells the server of those that cannot be read: without them the run must not pass. Each
 * answer says how the run stands so far, and the last one how all of it does.
 */
export async function uploadParts(
  upload: Upload,
  parts: readonly Part[],
  flags: PartFlags,
): Promise<{ readonly run: TestRun | undefined; readonly refused: readonly RefusedPart[] }> {
  const refused: RefusedPart[] = []
  let run: TestRun | undefined
  // Those that are known to be missing go first, so that the last answer is more likely to say it all.
  const ordered = parts.toSorted((one, other) => Number('file' in one) - Number('file' in other))
  for (const part of ordered) {
    if (!('file' in part)) refused.push(part)
    try {
      run = await uploadPart(upload, part, { ...flags, parts: parts.length })
    } catch (error) {
      if (!(error instanceof CliError) || !rejectionCodes.has(error.code) || !('file' in part))
        throw error
      refused.push({ path: part.file.path, error, isRead: true })
    }
  }
  return { run, refused }
}

async function uploadPart(
  { api, orgId, runId }: Upload,
  part: Part,
  { shard, repeats, parts }: PartFlags & { readonly parts: number },
): Promise<TestRun> {
  const path = 'file' in part ? part.file.path : part.path
  const name = parts > 1 ? [shard, path].filter((text) => text !== undefined).join('/') : shard
  return api.call('uploadTestReport', {
    params: { org_id: orgId, run_id: runId },
    query: {
      ...(name !== undefined && { shard: toShard(name) }),
      ...(parts > 1 && { parts }),
      ...(repeats !== undefined && { repeats }),
      ...(!('file' in part) && { missing: part.error.message.slice(0, longestReason) }),
    },
    upload:
      'file' in part
        ? { type: part.file.type, bytes: part.file.bytes }
        : { type: 'application/xml', bytes: new Uint8Array() },
  })
}

const longestReason = 300
const longestShard = 100

/** Returns a name that the server accepts. Two long paths with the same end stay two parts. */
function toShard(name: string): string {
  if (name.length <= longestShard) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${hash}…${name.slice(-(longestShard - hash.length - 1))}`
}

/** Throws when a file was refused: the only one as itself, and several with each of them named. @throws {CliError} */
export function assertAllRead(parts: readonly Part[], of: number = parts.length): void {
  const refused = parts.filter((part): part is RefusedPart => !('file' in part))
  const [first] = refused
  if (first === undefined) return
  if (of === 1) throw first.error
  const message = `${refused.length} of ${of} reports were refused. The run doesn’t pass without them.`
  throw new CliError('validation', 'reports_refused', message, {
    details: refused.map(({ path, error }) => `${path}: ${error.message}`),
    advice: 'Correct them and upload all of them again: reports that were accepted count once.',
  })
}
