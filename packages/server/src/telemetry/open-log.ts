import { createLog, type Log, type LogLevel } from './log.ts'

/** Chooses the form of the log. */
export interface OpenLog {
  readonly logLevel: LogLevel
  /** Undefined: `pretty` on a terminal, `json` elsewhere. */
  readonly logFormat: 'pretty' | 'json' | undefined
}

/** Opens the log on standard output. */
export async function openLog(
  { logLevel: level, logFormat }: OpenLog,
  { isTerminal }: { readonly isTerminal: boolean },
): Promise<Log> {
  const format = logFormat ?? (isTerminal ? 'pretty' : 'json')
  if (format === 'json') return createLog({ level })
  const { prettyLines } = await import('./pretty-lines.ts')
  return createLog({ level, destination: prettyLines({ requests: level === 'debug' }) })
}
