import { pino, type DestinationStream, type Level } from 'pino'
import { describeError } from './describe-error.ts'
import { scrub, scrubForeign } from './scrub.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Every name a log line may carry. A field of another name is left out and counted in `leftOut`. */
const plainFields = [
  'requestId',
  'method',
  'route',
  'status',
  'durationMs',
  'ip',
  'orgId',
  'userId',
  'keyId',
  'actor',
  'credentialId',
  'environmentId',
  'schemaId',
  'versionId',
  'version',
  'code',
  'role',
  'roles',
  'job',
  'jobId',
  'attempt',
  'attempts',
  'queue',
  'count',
  'total',
  'streams',
  'sizeBytes',
  'seconds',
  'afterMs',
  'timeoutMs',
  'signal',
  'address',
  'port',
  'host',
  'origin',
  'path',
  'step',
  'state',
  'setting',
  'feature',
  'pid',
  'sequence',
] as const

/** Text that others wrote: what it quotes is taken out as well. */
const foreignFields = ['reason', 'said', 'detail'] as const

export type LogFieldName = (typeof plainFields)[number] | (typeof foreignFields)[number]

export type LogFields = {
  readonly [Name in LogFieldName]?: string | number | boolean | null | undefined
} & {
  /** Logged by its kind, code and stack, never by its message. */
  readonly error?: unknown
}

/**
 * A text known when the code was written; one put together at run time may hold a secret. An object lacks a property of a
 * known name, and lacks nothing when the names are a pattern.
 */
type Constant<Text extends string> = Record<'', 1> extends Record<Text, 1> ? never : Text

type Write = <const Text extends string>(message: Constant<Text>, fields?: LogFields) => void

/**
 * What the service tells those who run it. The message is a constant; what varies stands in named fields.
 * `error`: a person must act. `warn`: it heals itself. `info`: a state changed. `debug`: off by default.
 */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

export interface LogOptions {
  readonly level: LogLevel
  /** Takes lines of JSON. Left out: standard output. */
  readonly destination?: DestinationStream
}

const plain: ReadonlySet<string> = new Set(plainFields)
const foreign: ReadonlySet<string> = new Set(foreignFields)

/** Opens the log. Only named fields with plain values are written; everything else is left out. */
export function createLog({ level, destination = standardOutput() }: LogOptions): Log {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(options, destination)
  const writeAt =
    (at: Level): Write =>
    (message, fields) => {
      if (logger.isLevelEnabled(at)) logger[at](allowed(fields), scrub(message))
    }
  return {
    debug: writeAt('debug'),
    info: writeAt('info'),
    warn: writeAt('warn'),
    error: writeAt('error'),
  }
}

/** Written at once, so that the last lines before a crash are there. */
export function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: true })
}

/** Writes nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  let leftOut = 0
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (name === 'error') line['error'] = describeError(value)
    else if (!isPlain(value) || !(plain.has(name) || foreign.has(name))) leftOut++
    else line[name] = typeof value === 'string' ? scrubField(name, value) : value
  }
  if (leftOut > 0) line['leftOut'] = leftOut
  return line
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function scrubField(name: string, value: string): string {
  return foreign.has(name) ? scrubForeign(value) : scrub(value)
}
