import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startStandIn } from '../../testing/stand-in.ts'
import { testToken } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })

/** An address at which something listened and no longer does. */
async function closedAddress(): Promise<string> {
  const closed = await startStandIn()
  await closed.close()
  return closed.url
}

const noToken = { SIGNALBOX_TOKEN: undefined }

describe('what goes wrong', () => {
  it('a server that is not there is exit 7 with the next step', async () => {
    const result = await place.run(['whoami', '--server', await closedAddress()])
    expect(result.code).toBe(7)
    expect(result.stderr).toContain('nothing listens there.')
    expect(result.stderr).toContain('signalbox doctor')
  })

  it('a wrong token is exit 4', async () => {
    const result = await place.run(['whoami'], {
      env: { SIGNALBOX_TOKEN: `sbx_pat_${'b'.repeat(46)}` },
    })
    expect(result.code).toBe(4)
    expect(result.stderr).toContain('signalbox login')
  })

  it('of a variable that wins names the variable and what to do, not only a sign-in', async () => {
    const wrong = { SIGNALBOX_TOKEN: `sbx_m2m_${'b'.repeat(46)}` }
    for (const args of [['whoami'], ['doctor']]) {
      const { stdout, stderr } = await place.run(args, { env: wrong })
      expect(stdout + stderr).toContain('Set SIGNALBOX_TOKEN to a valid token')
      expect(stdout + stderr).not.toMatch(/(fix|next): signalbox login/)
    }
    const { stderr } = await place.run(['whoami'], { env: wrong })
    expect(stderr).toContain('unset SIGNALBOX_TOKEN')
    const form = await place.run(['whoami'], { env: { SIGNALBOX_TOKEN: 'pasted wrongly' } })
    expect(form.stderr).toContain('What SIGNALBOX_TOKEN holds is not a token.')
    const quoted = await place.run(['whoami'], {
      env: { SIGNALBOX_TOKEN: `"${wrong.SIGNALBOX_TOKEN}"` },
    })
    expect(quoted.stderr).toContain('It has quotation marks around it')
    const piped = await place.run(['whoami', '--token-stdin'], { stdin: wrong.SIGNALBOX_TOKEN })
    expect(piped.stderr).toContain('Pipe another token to --token-stdin.')
  })

  it('of the address names the flag or variable that it comes from', async () => {
    const gone = await closedAddress()
    const byFlag = await place.run(['whoami', '--server', gone])
    expect(byFlag.stderr).toContain('that the address is right (--server).')
    const byVariable = await place.run(['doctor'], { env: { SIGNALBOX_URL: gone } })
    expect(byVariable.stdout).toContain('or correct the address: SIGNALBOX_URL')
  })

  it('of an environment, schema, organization or profile that a variable names says so', async () => {
    const asked: [string[], Record<string, string | undefined>][] = [
      [['get'], { SIGNALBOX_ENVIRONMENT: 'prodution' }],
      [['get', '--env', 'production'], { SIGNALBOX_SCHEMA: 'wab' }],
      [['environments', 'list'], { SIGNALBOX_ORGANIZATION: 'acne' }],
      [['whoami'], { SIGNALBOX_PROFILE: 'ci', ...noToken }],
    ]
    for (const [args, env] of asked) {
      const { stderr } = await place.run(args, { env })
      expect(stderr).toContain(`${Object.keys(env)[0]} names `)
    }
    const byFlag = await place.run(['get', '--env', 'prodution'], {
      env: { SIGNALBOX_ENVIRONMENT: 'production' },
    })
    expect(byFlag.stderr).toContain('Did you mean')
    expect(byFlag.stderr).not.toContain('SIGNALBOX_ENVIRONMENT')
  })

  it('reads are repeated when the server is busy for a moment', async () => {
    server.failures.push({ status: 503, code: 'overloaded' })
    expect(await place.run(['whoami'])).toMatchObject({ code: 0 })
    expect(server.seen).toHaveLength(2)
  })

  const posts = () => server.seen.filter(({ method }) => method === 'POST')

  it.each(['db_unavailable', 'draining'] as const)(
    'a write that is answered %s is sent again with its key',
    async (code) => {
      server.failures.push({ status: 503, code, method: 'POST' })
      expect(await place.run(['environments', 'create', 'staging'])).toMatchObject({ code: 0 })
      const keys = posts().map(({ headers }) => headers['idempotency-key'])
      expect(keys).toHaveLength(2)
      expect(new Set(keys).size).toBe(1)
      expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it('a write that is refused in another way is exit 7 and sent once', async () => {
    server.failures.push({ status: 503, code: 'read_only', method: 'POST' })
    const result = await place.run(['environments', 'create', 'staging'])
    expect(result.code).toBe(7)
    expect(posts()).toHaveLength(1)
  })

  it('errors are one JSON document on stderr with --json, also for wrong usage', async () => {
    for (const args of [['whoam'], ['whoami', '--wrong'], ['get', 'x', '--env', 'development']]) {
      const result = await place.run([...args, '--json'])
      expect(result.code).not.toBe(0)
      expect(result.stdout).toBe('')
      const document = JSON.parse(result.stderr) as { error: Record<string, unknown> }
      expect(Object.keys(document.error)).toEqual(
        expect.arrayContaining(['code', 'message', 'hint', 'docs']),
      )
    }
  })

  it('wrong usage is exit 2 and names the near command or flag', async () => {
    const command = await place.run(['psuh'])
    expect(command).toMatchObject({ code: 2 })
    expect(command.stderr).toContain('signalbox push')
    const flag = await place.run(['get', '--enviroment', 'x'])
    expect(flag).toMatchObject({ code: 2 })
    expect(flag.stderr).toContain('There is no flag --enviroment.')
    expect(flag.stderr).toContain('Did you mean --env?')
    const alone = await place.run(['--verson'])
    expect(alone).toMatchObject({ code: 2 })
    expect(alone.stderr).toContain('There is no flag --verson.')
    expect(alone.stderr).toContain('Did you mean --version?')
    const letter = await place.run(['get', '-x'])
    expect(letter.stderr).toContain('There is no flag -x.')
    const dry = await place.run(['set', 'a', '1', '--dryrun'])
    expect(dry.stderr).toContain('Did you mean --dry-run?')
    for (const input of ['lst', 'lst --json']) {
      const subcommand = await place.run(['environments', ...input.split(' ')])
      expect(subcommand).toMatchObject({ code: 2 })
      expect(subcommand.stderr).toContain('Did you mean signalbox environments list?')
    }
  })

  it('nothing is proposed that is not near', async () => {
    for (const args of [['zzz'], ['get', '--foo'], ['get', 'zz', '--env', 'development']]) {
      const result = await place.run(args)
      expect(result.code).not.toBe(0)
      expect(result.stderr).not.toContain('Did you mean')
      expect(result.stderr).not.toContain('did you mean')
    }
  })

  it('help shows every flag that a command is about in its usage', async () => {
    const push = await place.run(['push', '--help'])
    expect(push.stdout).toContain('[--env name] [--schema name] [--prune] [--allow-breaking]')
    const login = await place.run(['login', '--help'])
    expect(login.stdout).toContain('[--server url] [--token-stdin] [--token] [--no-browser]')
  })

  it('help without a command is an overview of all, and help with one is its own', async () => {
    const overview = await place.run([])
    expect(overview.code).toBe(0)
    expect(overview.stdout).not.toContain('[--')
    for (const words of [['--help'], ['help'], ['--json', '--help'], ['help', 'help']]) {
      expect(await place.run(words)).toEqual(overview)
    }
    const own = await place.run(['environments', 'create', '--help'])
    for (const word of ['help', '--help']) {
      expect(await place.run([word, 'environments', 'create'])).toEqual(own)
    }
    const unknown = await place.run(['help', 'psuh'])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('Did you mean signalbox push?')
  })

  it('help of a command names the flags that every command takes', async () => {
    const { stdout } = await place.run(['get', '--help'])
    for (const flag of ['--server', '--cwd', '--profile', '--quiet', '--verbose', '--config']) {
      expect(stdout).toContain(flag)
    }
  })

  it('a refusal links to the page of the server that refused', async () => {
    const { stderr } = await place.run(['whoami'], {
      env: { SIGNALBOX_TOKEN: `sbx_m2m_${'b'.repeat(46)}` },
    })
    expect(stderr).toContain(`${server.url}/docs/problems#invalid_credentials`)
    expect(stderr).not.toContain('signalbox.dev')
  })

  it('a command in advice begins as this one was started', async () => {
    const { stderr } = await place.run(['whoami'], { env: { ...noToken, npm_command: 'exec' } })
    expect(stderr).toContain('fix: npx --no-install signalbox login')
    const init = await place.run(['init', '--yes'], { env: { npm_command: 'exec' } })
    expect(init.stderr).toContain('  npx --no-install signalbox push --env development')
  })

  it('a flag of the program before -- is exit 2 and says where it goes', async () => {
    for (const flag of ['-p', '--inspect']) {
      const result = await place.run(['run', 'node', flag, '1'])
      expect(result).toMatchObject({ code: 2 })
      expect(result.stderr).toContain('signalbox run -- node')
    }
  })

  it('a token given as a flag or argument is refused and not repeated', async () => {
    for (const args of [
      ['whoami', '--token', testToken],
      ['whoami', testToken],
      ['login', testToken],
    ]) {
      const result = await place.run(args)
      expect(result.code).toBe(2)
      expect(result.stdout + result.stderr).not.toContain(testToken)
    }
  })

  it('a redirect is not followed, so the token stays where it belongs', async () => {
    server.failures.push({ status: 302, headers: { location: 'http://127.0.0.1:9/me' } })
    const result = await place.run(['whoami'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('does not send the token there')
  })
})

describe('login', () => {
  it('checks the token and keeps it for its owner alone', async () => {
    const result = await place.run(['login', '--token-stdin'], {
      env: noToken,
      stdin: `${testToken}\n`,
    })
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('server key ci in acme')
    expect(result.stdout + result.stderr).not.toContain(testToken)
    const file = join(place.home, 'config/signalbox/credentials.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(await place.run(['whoami'], { env: noToken })).toMatchObject({ code: 0 })
    expect(await place.run(['logout'], { env: noToken })).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).not.toContain(testToken)
    expect(await place.run(['whoami'], { env: noToken })).toMatchObject({ code: 4 })
  })

  it('keeps nothing when the server refuses the token', async () => {
    const result = await place.run(['login', '--token-stdin'], {
      env: noToken,
      stdin: `sbx_pat_${'c'.repeat(46)}`,
    })
    expect(result.code).toBe(4)
    expect(() => statSync(join(place.home, 'config/signalbox/credentials.json'))).toThrow('ENOENT')
  })

  it('a file that others can read is refused until it is put right', async () => {
    await place.run(['login', '--token-stdin'], { env: noToken, stdin: testToken })
    const file = join(place.home, 'config/signalbox/credentials.json')
    chmodSync(file, 0o640)
    const result = await place.run(['whoami'], { env: noToken })
    expect(result.code).toBe(4)
    expect(result.stderr).toContain('chmod 600')
  })

  it('without a terminal it says how to pipe the token, and why it cannot ask', async () => {
    const result = await place.run(['login'], { env: noToken })
    expect(result.code).toBe(2)
    expect(result.stderr).toContain("stdin isn't a terminal")
    expect(result.stderr).toContain('--token-stdin')
  })

  it('a token of another server is not sent', async () => {
    await place.run(['login', '--token-stdin'], { env: noToken, stdin: testToken })
    const other = await startStandIn()
    const result = await place.run(['whoami', '--server', other.url], { env: noToken })
    expect(result.code).toBe(4)
    expect(other.seen).toEqual([])
    await other.close()
  })
})

describe('the project file', () => {
  it('with a token in it is refused without repeating it', async () => {
    writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ server: testToken }))
    const result = await place.run(['whoami'])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('contains a token')
    expect(result.stderr).not.toContain(testToken)
  })
})

describe('doctor', () => {
  it('finds a healthy set-up healthy, and names the next step of each fault', async () => {
    const good = await place.run(['doctor', '--json'])
    const { findings } = JSON.parse(good.stdout) as { findings: { name: string; state: string }[] }
    expect(findings.find(({ name }) => name === 'token')?.state).toBe('ok')
    expect(good.code).toBe(0)
    const bad = await place.run(['doctor', '--server', await closedAddress()])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toContain('signalbox start')
  })

  it('reports a stored default that anyone can guess, and nothing else of the front page', async () => {
    const severity = 'error'
    server.state.needsYou.push(
      { severity, code: 'message_failed', title: 'Not here', detail: '' },
      { severity, code: 'default_of_nothing', title: 'key has a default', detail: 'Set it.' },
    )
    const result = await place.run(['doctor'])
    server.state.needsYou.length = 0
    expect(result.stdout).toMatch(/✗ configuration +key has a default\. Set it\./)
    expect(result.stdout).not.toContain('Not here')
    expect(result.code).toBe(1)
  })

  it('tells of a proxy that the server does not know, and is no failure', async () => {
    server.state.checks['proxy'] = { ok: true, warning: true, detail: 'A proxy is not named.' }
    const result = await place.run(['doctor'])
    expect(result.stdout).toContain('is ready. A proxy is not named.')
    expect(result.stdout).toContain('SIGNALBOX_TRUSTED_PROXIES')
    expect(result.code).toBe(0)
  })
})
