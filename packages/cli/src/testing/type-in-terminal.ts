import { spawn, spawnSync } from 'node:child_process'

/** Describes what a program on a terminal did. */
export interface TerminalResult {
  readonly code: number | null
  /** Everything the terminal showed, without the control sequences. */
  readonly screen: string
}

const limitMs = 20_000

/** Describes what to type once the screen shows a text, or what to do before it is typed, with what the screen shows. */
export type Step = readonly [shown: string, typed: string | ((screen: string) => Promise<string>)]

/** Tells whether this machine can make a pseudo-terminal with script(1). */
export const hasTerminal = spawnSync('script', ['--version']).status === 0

/** Describes where a line of a shell is run. */
export interface TerminalPlace {
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs a line of a shell on a pseudo-terminal and types the answers. */
export function typeInTerminal(
  { directory, env }: TerminalPlace,
  line: string,
  steps: readonly Step[],
): Promise<TerminalResult> {
  // A terminal that is not told its size has none, and prompts wrap at every character.
  const command = `stty cols 100 rows 30; ${line}`
  return new Promise((resolve, reject) => {
    const child = spawn(
      'script',
      ['--quiet', '--return', '--flush', '--command', command, '/dev/null'],
      {
        cwd: directory,
        env: { ...env, TERM: 'xterm', CI: '' },
        stdio: 'pipe',
      },
    )
    const waiting = [...steps]
    let screen = ''
    let from = 0
    const advance = () => {
      const [next] = waiting
      if (next === undefined || !plain(screen.slice(from)).includes(next[0])) return
      waiting.shift()
      const before = plain(screen)
      from = screen.length
      const [, typed] = next
      if (typeof typed === 'string') child.stdin.write(typed)
      else typed(before).then((text) => child.stdin.write(text), reject)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString('utf8')
      advance()
    })
    const limit = setTimeout(() => {
      child.kill()
      reject(new Error(`It still runs after ${limitMs} ms:\n${plain(screen)}`))
    }, limitMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(limit)
      resolve({ code, screen: plain(screen) })
    })
  })
}

function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, '')
}
