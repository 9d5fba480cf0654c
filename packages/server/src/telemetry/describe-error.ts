/** Holds the loggable part of an error: its kind and where it happened, never its message. */
export interface DescribedError {
  readonly name: string
  /** Holds `ECONNREFUSED`, a SQLSTATE, a problem code, or the like. */
  readonly code?: string
  /**
   * Names the constraint of a database error. Like `table` and `column` it belongs to the schema and not to the data.
   */
  readonly constraint?: string
  readonly table?: string
  readonly column?: string
  readonly syscall?: string
  readonly stack?: readonly string[]
  readonly causes?: readonly DescribedError[]
}

const causesMax = 5
const framesMax = 30
const plainName = /^[\w$.-]{1,80}$/
const frame = /^ {4}at .{1,300}$/

/**
 * Describes an error for the log. Its message is left out, because messages repeat input: `JSON.parse` quotes the text,
 * PostgreSQL the value, `new URL` the address. The frames of the stack say where to look.
 */
export function describeError(error: unknown): DescribedError {
  const described = describeOne(error)
  const causes: DescribedError[] = []
  for (let cause = causeOf(error); cause !== undefined; cause = causeOf(cause)) {
    if (causes.length === causesMax) break
    causes.push(describeOne(cause))
  }
  const stack = framesOf(error)
  return {
    ...described,
    ...(stack.length > 0 && { stack }),
    ...(causes.length > 0 && { causes }),
  }
}

function describeOne(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { name: `thrown ${typeof error}` }
  return {
    name: plainName.test(error.name) ? error.name : 'Error',
    ...pick(error, 'code'),
    ...pick(error, 'constraint'),
    ...pick(error, 'table'),
    ...pick(error, 'column'),
    ...pick(error, 'syscall'),
  }
}

function pick<K extends string>(error: Error, name: K): { readonly [P in K]?: string } {
  const value: unknown = Reflect.get(error, name)
  const picked: { [P in K]?: string } = {}
  if (typeof value === 'string' && plainName.test(value)) picked[name] = value
  return picked
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? undefined) : undefined
}

/**
 * Returns the frames of a stack. They follow the message, which may have lines of its own, so only the last run of
 * frames is taken.
 */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return []
  const message = error.stack.indexOf(error.message)
  const rest = message < 0 ? error.stack : error.stack.slice(message + error.message.length)
  const lines = rest.split('\n')
  const frames = lines.slice(lines.findLastIndex((line) => !frame.test(line)) + 1)
  return frames.slice(0, framesMax).map((line) => line.trim().slice('at '.length))
}
