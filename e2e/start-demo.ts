import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../packages/cli/src/main.ts')

/** Describes what a demo prints. */
interface Shown {
  readonly service: string
  readonly push: string
  readonly channel: string
  readonly application: string
  readonly deployments: string
  readonly flags: string
  readonly config: string
  readonly orgId: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** Describes a demo that runs. */
export interface Demo {
  readonly temporary: string
  readonly child: ChildProcess
  readonly shown: Shown
  /** Ends it as a crash does, and removes its files. */
  kill(): void
}

/** Starts the demo with the options of the command, and answers once it has printed where it is. */
export async function startDemo(...args: readonly string[]): Promise<Demo> {
  const temporary = mkdtempSync(join(tmpdir(), 'signalbox-demo-test-'))
  await chmod(temporary, 0o711)
  const command = ['--conditions=@signalbox/source', main, 'demo', '--json', ...args]
  const child = spawn(process.execPath, command, {
    // Settings of a real service must not reach the one of the demo.
    env: { ...process.env, TMPDIR: temporary, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => {
    child.kill('SIGKILL')
    rmSync(temporary, { recursive: true, force: true })
  }
  try {
    return { temporary, child, shown: await readShown(child), kill }
  } catch (error) {
    kill()
    throw error
  }
}

async function readShown({ stdout, stderr }: ChildProcess): Promise<Shown> {
  let [printed, said] = ['', '']
  stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  for await (const chunk of stdout ?? []) {
    printed += String(chunk)
    if (printed.endsWith('}\n')) return JSON.parse(printed)
  }
  throw new Error(`The demo ended before it was ready:\n${said}`)
}
