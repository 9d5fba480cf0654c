import { pino, type DestinationStream, type Level } from 'pino'
import { describeError } from './describe-error.ts'
import { scrub, scrubForeign } from './scrub.ts'

/** Lists the levels of the log; `silent` writes nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Holds the message of the line that each answered request gets. */
export const requestMessage = 'Request'

/** Lists the fields that a log line may have. Fields of other names are omitted and counted in `leftOut`. */
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
  'migration',
  'migrations',
  'state',
  'setting',
  'feature',
  'pid',
  'sequence',
  'epoch',
  'subject',
] as const

/** Lists fields with text from outside. Quoted parts are removed from it. */
const foreignFields = ['reason', 'said', 'detail'] as const

/** Names a field of a log line. */
export type LogFieldName = (typeof plainFields)[number] | (typeof foreignFields)[number]

/** Holds the fields of a log line. */
export type LogFields = {
  readonly [Name in LogFieldName]?: string | number | boolean | null | undefined
} & {
  /** Holds an error, which is logged by its kind, code and stack, never by its message. */
  readonly error?: unknown
}

/**
 * Accepts only a literal text: one built at run time may contain a secret. `Record` of a literal type has a required
 * property, which an empty object lacks; `Record` of `string` has none.
 */
type Constant<Text extends string> = Record<'', 1> extends Record<Text, 1> ? never : Text

type Write = <const Text extends string>(message: Constant<Text>, fields?: LogFields) => void

/**
 * Writes what the operator should know. The message is a constant; variable parts are named fields. `error`: a person
 * must act. `warn`: it heals itself. `info`: a state changed. `debug`: off by default.
 */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

export interface LogOptions {
  readonly level: LogLevel
  /** Receives lines of JSON. Default: standard output. */
  readonly destination?: DestinationStream
}

const plain: ReadonlySet<string> = new Set(plainFields)
const foreign: ReadonlySet<string> = new Set(foreignFields)

/** Creates the log. It writes only known fields with plain values and omits all others. */
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

/** Writes synchronously to standard output, so that the last lines before a crash are not lost. */
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
