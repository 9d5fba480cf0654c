import { execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { mainPath } from '../../testing/run-cli.ts'
import { hasTerminal } from '../../testing/type-in-terminal.ts'
import { withStandIn } from '../../testing/with-server.ts'

vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)
const { server, place } = withStandIn({ schema: 'web' })
let bin: string

beforeEach(() => {
  bin = join(place.home, 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'signalbox'),
    `#!/bin/sh\nexec '${process.execPath}' --conditions=@signalbox/source '${mainPath}' "$@"\n`,
  )
  chmodSync(join(bin, 'signalbox'), 0o755)
})

const complete = async (...words: string[]) => {
  const { stdout } = await place.run(['__complete', '--', ...words])
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}
const shellEnv = () => ({
  ...place.env,
  PATH: `${bin}:${process.env['PATH']}`,
  TERM: 'dumb',
  FPATH: process.env['FPATH'],
})
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

describe('what is proposed', () => {
  it('are commands, their groups, flags and values', async () => {
    expect(await complete('pu')).toEqual(['push', 'pull', 'publisher-keys'])
    expect(await complete('--json', 'pus')).toEqual(['push'])
    expect(await complete('environments', '')).toEqual(['list', 'create', 'update', 'delete'])
    expect(await complete('push', '--pr')).toEqual(['--profile', '--prune'])
    expect(await complete('run', '--no-v')).toEqual(['--no-validate'])
    expect(await complete('help', 'pus')).toEqual(['push'])
    expect(await complete('help', 'push', '--pr')).toEqual(['--profile', '--prune'])
    expect(await complete('--json', 'environments', 'cr')).toEqual(['create'])
    expect(await complete('pull', '--format', 'dotenv-')).toEqual(['dotenv-expand'])
    expect(await complete('pull', '--format=ne')).toEqual(['--format=next'])
  })

  it('are environments and keys of the server', async () => {
    expect(await complete('push', '--env', '')).toEqual(['development', 'production'])
    expect(await complete('push', '--env=prod')).toEqual(['--env=production'])
    expect(await complete('promote', '--from', 'dev')).toEqual(['development'])
    expect(await complete('environments', 'delete', 'dev')).toEqual(['development'])
    expect(await complete('freeze', 'dev')).toEqual(['development'])
    expect(await complete('get', 'st')).toEqual(['stripeKey'])
    expect(await complete('rules', 'st')).toEqual(['stripeKey'])
    expect(await complete('rules', 'add', 'st')).toEqual(['stripeKey'])
    expect(await complete('rules', 'stripeKey', 'st')).toEqual([])
    expect(await complete('turn', 'off', 'st')).toEqual(['stripeKey'])
    expect(await complete('set', '--env', 'development', 'api')).toEqual([])
    expect(await complete('unset', 'apiUrl', '')).not.toContain('apiUrl')
    expect(await complete('set', '--comment', '')).toEqual([])
  })

  it('is nothing where a file or a foreign command stands', async () => {
    expect(await complete('report', '')).toEqual([])
    expect(await complete('run', '--', 'no')).toEqual([])
    expect(await complete('pull', '--output', '')).toEqual([])
  })

  it('is nothing, soon and silently, when the server is gone or the token is wrong', async () => {
    server.state.tokens.clear()
    expect(await place.run(['__complete', '--', 'push', '--env', ''])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
    server.failures.push({ status: 0 })
    expect(await complete('push', '--env', '')).toEqual([])
    await server.close()
    expect(await complete('push', '--env', '')).toEqual([])
    expect(await complete('pu')).toEqual(['push', 'pull', 'publisher-keys'])
  })
})

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('%s prints a script that says how it is used', async (shell) => {
    const result = await place.run(['completion', shell])
    expect(result.stdout).toContain(`signalbox completion ${shell}`)
  })

  it('of a shell that is not known is exit 2', async () => {
    const result = await place.run(['completion', 'tcsh'])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('use bash, zsh or fish')
  })
})

/** Types at the prompt of a shell on a terminal. `until` is what the screen is to show before the next is typed. */
function typeInto(
  command: string,
  steps: readonly (readonly [type: string, until: string])[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['--quiet', '--flush', '--command', command, '/dev/null'], {
      cwd: place.directory,
      env: shellEnv(),
      stdio: 'pipe',
    })
    const waiting = [...steps]
    let screen = ''
    let from = 0
    let until = 'READY'
    const advance = () => {
      if (!screen.slice(from).includes(until)) return
      from = screen.length
      const next = waiting.shift()
      if (next === undefined) return child.stdin.write('\u0015exit\n')
      until = next[1]
      return child.stdin.write(next[0])
    }
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString('utf8')
      advance()
    })
    const limit = setTimeout(() => child.kill(), 40_000)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(limit)
      resolve(screen)
    })
  })
}

const typed = [
  ['\u0015signalbox pus\t', 'signalbox push '],
  ['\u0015signalbox push --env prod\t', '--env production '],
  ['\u0015signalbox push --env=dev\t', '--env=development '],
  ['\u0015signalbox get stri\t', 'get stripeKey '],
  ['\u0015signalbox run --env=dev\t-- ech\t', '-- echo'],
] as const

describe.runIf(hasTerminal && has('bash'))('bash', () => {
  it('completes commands, environments and keys when the tab key is pressed', async () => {
    const script = join(place.home, 'rc')
    writeFileSync(
      script,
      `PS1='> '\nset +o history\nbind 'set bell-style none'\nsource <(signalbox completion bash)\n${foreign}echo REA""DY\n`,
    )
    const screen = await typeInto(`bash --noprofile --rcfile ${script} -i`, typed)
    for (const [, shown] of typed) expect(screen).toContain(shown)
  })
})

/** Stands in for the package bash-completion, which knows the commands of others. */
const foreign = `_command_offset() { COMPREPLY=($(compgen -c -- "\${COMP_WORDS[COMP_CWORD]}" | grep -x echo)); }\n`

describe.runIf(hasTerminal && has('zsh'))('zsh', () => {
  it('completes commands, environments and keys when the tab key is pressed', async () => {
    writeFileSync(
      join(place.home, '.zshrc'),
      `PS1='> '\nunsetopt prompt_cr\nautoload -U compinit && compinit -u -D\nsource <(signalbox completion zsh)\nprint -r -- REA""DY\n`,
    )
    const screen = await typeInto(`env ZDOTDIR=${place.home} zsh -d -i`, typed)
    for (const [, shown] of typed) expect(screen).toContain(shown)
  })
})

describe.runIf(has('fish'))('fish', () => {
  it('completes commands, environments and keys', async () => {
    const ask = async (line: string) => {
      const script = `signalbox completion fish | source; complete -C '${line}'`
      const options = { env: shellEnv(), cwd: place.directory }
      const { stdout } = await run('fish', ['--no-config', '-c', script], options)
      return stdout.split('\n').flatMap((proposal) => proposal.split('\t')[0] || [])
    }
    expect(await ask('signalbox pus')).toEqual(['push'])
    expect(await ask('signalbox push --env prod')).toEqual(['production'])
    expect(await ask('signalbox get str')).toEqual(['stripeKey'])
  })
})
