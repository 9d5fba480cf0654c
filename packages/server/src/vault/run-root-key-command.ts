import { execFile, type ExecFileException } from 'node:child_process'
import { parseRootKey } from '../crypto/root-key.ts'
import { OperatorError } from '../store/operator-error.ts'

/** Describes the program that prints the root key. */
export interface RootKeyCommand {
  /** Names the program and its arguments, separated by spaces. There is no shell, and quotes have no meaning. */
  readonly line: string
  readonly signal?: AbortSignal | undefined
  /** Default 30,000. */
  readonly limitMs?: number
}

const setting = 'SIGNALBOX_ROOT_KEY_COMMAND'
const outputBytesMax = 4_096
const errorCharactersMax = 1_000

/**
 * Runs the program of `SIGNALBOX_ROOT_KEY_COMMAND`, and returns the root keys that it prints as base64url: one, or during a
 * rotation two, the next one first. Standard base64 is accepted too, because the programs of key services print it.
 *
 * @throws {OperatorError} `root_key_command` with what the program wrote to its standard error, and never with its output.
 */
export async function runRootKeyCommand({
  line,
  signal,
  limitMs = 30_000,
}: RootKeyCommand): Promise<readonly string[]> {
  const [program = '', ...args] = line.trim().split(/\s+/)
  const { failure, stdout, stderr } = await run(program, args, { signal, limitMs })
  signal?.throwIfAborted()
  const refuse = refuserOf(program, stderr)
  if (failure !== null) throw refuse(explain(failure, limitMs))
  const keys = stdout.split(/[\s,]+/).filter((text) => text !== '')
  if (keys.length === 0) throw refuse('printed nothing')
  const texts = keys.map(toBase64url)
  if (keys.length > 2 || !texts.every(isRootKey)) {
    throw refuse(
      'printed something else than a root key: 32 bytes as base64 or base64url, or during a rotation two of them',
    )
  }
  return texts
}

interface Ended {
  readonly failure: ExecFileException | null
  readonly stdout: string
  readonly stderr: string
}

function run(
  program: string,
  args: readonly string[],
  { signal, limitMs }: Pick<RootKeyCommand, 'signal'> & { readonly limitMs: number },
): Promise<Ended> {
  const options = {
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: outputBytesMax,
    windowsHide: true,
    ...(signal !== undefined && { signal }),
  } as const
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (failure, stdout, stderr) =>
      resolve({ failure, stdout, stderr }),
    )
    // A program that asks for a password ends instead of waiting.
    child.stdin?.on('error', () => undefined).end()
  })
}

/** Says how the program failed. */
function explain({ code, killed, signal }: ExecFileException, limitMs: number): string {
  if (code === 'ENOENT') return 'was not found'
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `wrote more than ${outputBytesMax} bytes`
  if (killed === true) return `did not end within ${limitMs / 1_000} seconds`
  if (typeof code === 'string') return `cannot be started (${code})`
  return `ended with ${signal ?? `exit code ${code}`}`
}

function refuserOf(program: string, stderr: string): (what: string) => OperatorError {
  const said = readable(stderr)
  const advice =
    said === ''
      ? 'It wrote nothing to its standard error. Run it yourself, where the server runs and as its user.'
      : `It wrote to its standard error: ${said}`
  return (what) =>
    new OperatorError(`${program}, which ${setting} names, ${what}.`, {
      code: 'root_key_command',
      advice,
    })
}

/** Removes control characters, and whatever has the form of a root key: a traced script prints what it handles. */
function readable(stderr: string): string {
  return stderr
    .replaceAll(/(?<![\w+/-])[\w+/-]{43}=?(?![\w+/-])/g, '(hidden)')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, errorCharactersMax)
}

function toBase64url(text: string): string {
  return text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_')
}

function isRootKey(text: string): boolean {
  try {
    parseRootKey(text)
    return true
  } catch {
    return false
  }
}
