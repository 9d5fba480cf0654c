import { spawn, spawnSync } from 'node:child_process'
import process from 'node:process'
import { mainPath, type TestDirectory } from './run-cli.ts'

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

/** Runs the command on a pseudo-terminal and types the answers. */
export function runInTerminal(
  directory: TestDirectory,
  args: readonly string[],
  steps: readonly Step[],
): Promise<TerminalResult> {
  const words = [
    process.execPath,
    '--conditions=@signalbox/source',
    mainPath,
    '--cwd',
    directory.directory,
    ...args,
  ]
  // A terminal that is not told its size has none, and prompts wrap at every character.
  const command = `stty cols 100 rows 30; exec ${words.map((word) => `'${word}'`).join(' ')}`
  return new Promise((resolve, reject) => {
    const child = spawn(
      'script',
      ['--quiet', '--return', '--flush', '--command', command, '/dev/null'],
      {
        env: { ...directory.env, TERM: 'xterm', CI: '' },
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
    const limit = setTimeout(() => child.kill(), limitMs)
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
