import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSandbox, type Sandbox } from '../../../../../test/testing/open-sandbox.ts'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withRealServer } from '../../testing/with-server.ts'

vi.setConfig({ testTimeout: 90_000 })

const { server, place } = withRealServer()
let sandbox: Sandbox
let job: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const file = (name: string) => join(place.directory, name)
const read = (name: string) => readFileSync(file(name), 'utf8')
const comments = () => [...repository().comments.values()].map(({ body }) => body)
const repository = () => {
  const found = [...sandbox.github.state.repositories.values()].find(({ name }) => name === 'shop')
  if (found === undefined) throw new Error('There is no repository.')
  return found
}

/** Returns what GitHub gives to a workflow of the repository. */
function workflowToken(permissions: Readonly<Record<string, 'read' | 'write'>>): string {
  const { github } = sandbox
  const { id: installationId } = github.install({ account: 'acme' })
  const grant = { appId: github.app.id, installationId, repositories: 'all' as const, permissions }
  return github.tokens.ofInstallations.issue(grant).accessToken
}

beforeEach(() => {
  sandbox.reset()
  const { state, activity } = sandbox.github
  const acme = state.accounts.get('acme')
  if (acme === undefined) throw new Error('The seed has lost its accounts.')
  activity.addRepository({ owner: acme, name: 'shop' }).pullRequests.add(7)
  writeFileSync(file('event.json'), JSON.stringify({ pull_request: { number: 7 } }))
  for (const name of ['summary.md', 'output']) writeFileSync(file(name), '')
  job = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: file('event.json'),
    GITHUB_STEP_SUMMARY: file('summary.md'),
    GITHUB_OUTPUT: file('output'),
    GITHUB_WORKSPACE: place.directory,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_API_URL: sandbox.addresses.githubApi,
    SIGNALBOX_ORGANIZATION: '',
    INPUT_GITHUB_TOKEN: workflowToken({ pull_requests: 'write' }),
  }
})

const act = (inputs: Record<string, string> = {}, more: typeof job = {}) => {
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name}`, value])
  return place.run(['github-action'], { env: { ...job, ...Object.fromEntries(given), ...more } })
}
/** Makes the event one of a pull request from a repository, or from a fork that was deleted. */
function pullRequestOf(name: string | null): void {
  const head = { repo: name === null ? null : { full_name: name } }
  writeFileSync(file('event.json'), JSON.stringify({ pull_request: { number: 7, head } }))
}
/** A schema of its own, pushed. */
async function push(schema: string, tiers = oneOfEach): Promise<void> {
  writeFileSync(file('.signalbox.json'), JSON.stringify({ schema }))
  writeDefinition(place, tiers)
  expect(await place.run(['push', '--env', 'development', '--yes'])).toMatchObject({ code: 0 })
}

const changed = `
  public: { timeoutMs: number({ integer: true, max: 100 }), apiUrl: string({ default: '|\`@ada\`' }) },
  secret: { stripeKey: string({ prefix: 'sk_' }) },
  featureFlags: { newCheckout: boolean({ default: false }) },
`

describe('the action checks', () => {
  it('a definition, comments what a push would change, and keeps one comment', async () => {
    await push('one-comment')
    writeDefinition(place, changed)
    const first = await act()
    expect(first.code).toBe(0)
    expect(comments()).toHaveLength(1)
    expect(comments()[0]).toMatch(/^<!-- signalbox one-comment -->\n### ⚠️ Signalbox: 2 changes\n/)
    expect(comments()[0]).toContain('| 🟡 changed | `timeoutMs` | public |')
    expect(comments()[0]).toContain('| 🟢 added | `apiUrl` | public |')
    expect(comments()[0]).toContain('``string, default "\\|`@ada`"``')
    expect(comments()[0]).toContain('| `staging` | ⚠️ no value yet for')
    expect(read('summary.md')).toContain('### ⚠️ Signalbox: 2 changes')
    expect(read('output')).toMatch(/^result=differs\nchanges=2\nbreaking=true\ncomment-url=http/)
    writeDefinition(place, oneOfEach)
    expect(await act()).toMatchObject({ code: 0 })
    expect(comments()).toEqual([expect.stringContaining('Signalbox: no differences')])
  })

  it('a definition, and sends that of the commit for the check beside it, where the input upload says so', async () => {
    await push('uploaded')
    const sha = 'a'.repeat(40)
    const deployed = ['--environment', 'staging', '--state', 'success', '--sha', sha]
    await place.run(['deployments', 'report', ...deployed, '--repository', 'acme/shop'])
    const more = { GITHUB_SHA: sha, GITHUB_REF_NAME: 'main', GITHUB_EVENT_PATH: '' }
    const result = await act({ UPLOAD: 'true' }, more)
    expect(result.code).toBe(0)
    expect(result.stdout).toContain(`acme/shop ${sha.slice(0, 7)}, schema uploaded`)
    const { items } = await server.call<{ items: object[] }>('GET', `/commit-checks?sha=${sha}`)
    expect(items).toMatchObject([{ sha, conclusion: 'failure' }])
  })

  it('a pull request without a difference, and leaves no comment', async () => {
    await push('nothing-new')
    expect(await act()).toMatchObject({ code: 0 })
    expect(comments()).toEqual([])
    expect(read('output')).toContain('result=same\nchanges=0\n')
  })

  it('never changes what a person wrote, even if it begins as ours does', async () => {
    await push('person')
    writeDefinition(place, changed)
    const author = sandbox.github.state.accounts.get('ada')
    if (author === undefined) throw new Error('There is no ada.')
    const at = new Date()
    const body = '<!-- signalbox person -->\nmine'
    repository().comments.set(1, { id: 1, number: 7, author, body, createdAt: at, updatedAt: at })
    await act()
    expect(comments()).toEqual([body, expect.stringContaining('2 changes')])
  })

  it('stored values, and fails at the line of the key that would be refused', async () => {
    await push('refused')
    await place.run(['set', 'timeoutMs', '5000', '--env', 'production', '--yes'])
    writeDefinition(place, changed)
    const result = await act()
    expect(result.code).toBe(5)
    expect(result.stdout).toMatch(
      /^::error file=signalbox\.config\.ts,line=4,title=timeoutMs in production::The definition would refuse the stored value/m,
    )
    expect(comments()[0]).toContain('❌ Signalbox: values in production would be refused')
    expect(await act({ COMMAND: 'diff' })).toMatchObject({ code: 0 })
    expect(await act({ ENVIRONMENT: 'staging' })).toMatchObject({ code: 0 })
    writeFileSync(file('summary.md'), '')
    expect(await act({ ENVIRONMENT: 'staging', COMPLETE: 'true' })).toMatchObject({ code: 5 })
    expect(read('summary.md')).toContain('### ❌ Signalbox: required keys have no value in staging')
  })

  it('in a pull request of a fork, without token and leave to comment, what needs no server', async () => {
    writeDefinition(place, oneOfEach)
    pullRequestOf('stranger/shop')
    const fork = {
      SIGNALBOX_TOKEN: '',
      SIGNALBOX_URL: 'http://127.0.0.1:9',
      INPUT_GITHUB_TOKEN: workflowToken({ pull_requests: 'read' }),
    }
    const sound = await act({}, fork)
    expect(sound.code).toBe(0)
    expect(read('summary.md')).toContain('the definition is valid')
    writeDefinition(place, `featureFlags: {\n  beta: 1,\n}`)
    const broken = await act({}, fork)
    expect(broken.code).toBe(5)
    expect(broken.stdout).toMatch(/^::error file=signalbox\.config\.ts,line=4,/m)
    expect(broken.stdout).toContain('::notice title=Signalbox::The token may not comment')
    expect(comments()).toEqual([])
  })

  it.each([
    ['a push', () => writeFileSync(file('event.json'), '{}')],
    ['a pull request of the repository itself', () => pullRequestOf('acme/shop')],
  ])('nothing without a token on %s, and is red', async (_, happen) => {
    happen()
    writeDefinition(place, oneOfEach)
    const result = await act({}, { SIGNALBOX_TOKEN: '' })
    expect(result.code).toBe(4)
    expect(result.stdout).toMatch(/^::error title=Signalbox::The input "token" is empty/m)
    expect(result.stderr).toContain('misspelled')
    expect(read('summary.md')).toContain('the check failed')
    expect(read('output')).toContain('result=failed')
  })

  it('what needs no server, with a warning, where Dependabot gets no secrets', async () => {
    pullRequestOf('acme/shop')
    writeDefinition(place, oneOfEach)
    const result = await act({}, { SIGNALBOX_TOKEN: '', GITHUB_ACTOR: 'dependabot[bot]' })
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout).toMatch(/^::warning title=Signalbox::The action compared nothing/m)
    expect(read('output')).toContain('result=offline')
  })

  it('what needs no server in the pull request of a fork that is gone', async () => {
    pullRequestOf(null)
    writeDefinition(place, oneOfEach)
    expect(await act({}, { SIGNALBOX_TOKEN: '' })).toMatchObject({ code: 0 })
  })

  it('with a summary that says when the server is gone, or the environment is wrong', async () => {
    await push('gone')
    const gone = await act({}, { SIGNALBOX_URL: 'http://127.0.0.1:9' })
    expect(gone.code).toBe(7)
    expect(read('summary.md')).toContain('the check failed')
    expect(read('output')).toContain('result=failed')
    expect(await act({ ENVIRONMENT: 'prodution' })).toMatchObject({ code: 1 })
  })

  it('with an error that names the input and the variable of a refused token', async () => {
    await push('wrong-token')
    const wrong = { SIGNALBOX_TOKEN: `sbx_m2m_${'b'.repeat(46)}` }
    expect(await act({ COMMAND: 'check' }, wrong)).toMatchObject({ code: 4 })
    expect(read('summary.md')).toContain(
      'Fix: `Set SIGNALBOX_TOKEN (the input token) to a valid token',
    )
  })

  it.each(['pull_request_target', 'workflow_run', 'issue_comment'])(
    'nothing on %s, which has secrets for the code of anybody',
    async (event) => {
      writeDefinition(place, 'public: (() => { throw new Error("LOADED") })(),')
      const result = await act({}, { GITHUB_EVENT_NAME: event })
      expect(result.code).toBe(2)
      expect(result.stdout + result.stderr).not.toContain('LOADED')
    },
  )
})

describe('the action', () => {
  const secret = 'sk_live_"quoted"\nsecond line 100%'

  it('masks tokens and every secret before a program can print them', async () => {
    await push('masks', `secret: { privateKey: string() },`)
    await place.run(['set', 'privateKey', '--env', 'staging'], { stdin: secret })
    const run = 'printf "%s" "$PRIVATE_KEY"; echo; echo "token $SIGNALBOX_TOKEN"'
    const result = await act({ COMMAND: 'run', ENVIRONMENT: 'staging', RUN: run })
    expect(result.code).toBe(0)
    const lines = result.stdout.split('\n')
    expect(lines[0]).toBe(`::add-mask::${server.token}`)
    const firstOutput = lines.indexOf('sk_live_"quoted"')
    expect(firstOutput).toBeGreaterThan(0)
    const masks = lines.slice(0, firstOutput)
    expect(masks.every((line) => line.startsWith('::add-mask::'))).toBe(true)
    expect(masks).toContain('::add-mask::sk_live_"quoted"%0Asecond line 100%25')
    expect(masks).toContain('::add-mask::second line 100%25')
    const token = /token (\S+)/.exec(result.stdout)?.[1] ?? ''
    expect(token.split('.')).toHaveLength(3)
    expect(masks).toContain(`::add-mask::${token}`)
  })

  it('ends as the program does', async () => {
    await push('ends', 'featureFlags: { beta: boolean({ default: false }) },')
    const ends = await act({ COMMAND: 'run', ENVIRONMENT: 'staging', RUN: 'false\nexit 0' })
    expect(ends.code).toBe(1)
  })

  it('pushes to one environment, and pulls from it', async () => {
    await push('pushes')
    writeDefinition(place, oneOfEach.replace('newCheckout', 'other'))
    expect(await act({ COMMAND: 'push', ENVIRONMENT: 'staging' })).toMatchObject({ code: 0 })
    await place.run(['set', 'stripeKey', '--env', 'staging'], { stdin: 'sk_test_1' })
    const pulled = await act({ COMMAND: 'pull', ENVIRONMENT: 'staging', OUTPUT: 'staging.env' })
    expect(pulled.code).toBe(0)
    expect(pulled.stdout).toContain('::add-mask::sk_test_1\n')
    expect(read('staging.env')).toContain('STRIPE_KEY=sk_test_1')
    expect(read('staging.env')).toContain('OTHER=false')
  })

  it.each([
    ['a command that is none', { COMMAND: 'deploy' }, 'not one of check, diff, push, pull, run'],
    ['no environment', { COMMAND: 'push' }, 'needs the name of an environment'],
    [
      'all environments',
      { COMMAND: 'pull', ENVIRONMENT: 'all' },
      'needs the name of an environment',
    ],
    ['nothing to run', { COMMAND: 'run', ENVIRONMENT: 'staging' }, 'the lines to run are missing'],
    ['neither true nor false', { COMMENT: 'yes' }, 'neither true nor false'],
  ])('says what is wrong with its inputs: %s', async (_, inputs: Record<string, string>, words) => {
    const result = await act(inputs)
    expect(result.code).toBe(2)
    expect(result.stderr).toContain(words)
  })
})

describe('action.yml', () => {
  const text = readFileSync(new URL('../../../../../action.yml', import.meta.url), 'utf8')
  const [, inputs = '', outputs = '', step = ''] = text.split(/^(?:inputs|outputs|runs):$/m)
  const namesIn = (section: string) =>
    [...section.matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name = '']) => name)

  it('hands every input over as a variable, and none as text of a script', () => {
    expect(namesIn(inputs)).toHaveLength(21)
    for (const name of namesIn(inputs)) expect(step).toContain(`\${{ inputs.${name} }}`)
    const scripts = [...step.matchAll(/^ +run: (.*)$/gm)].map(([, script]) => script)
    expect(scripts).toEqual(['node "$GITHUB_ACTION_PATH/action/main.js"'])
  })

  it('has an output for each that the step sets', async () => {
    expect(namesIn(outputs)).toEqual(['result', 'changes', 'breaking', 'comment-url'])
    await push('outputs')
    await act()
    const set = read('output').match(/^[a-z-]+(?==)/gm) ?? []
    expect(set.every((name) => namesIn(outputs).includes(name))).toBe(true)
  })
})

describe('a push that people must approve', () => {
  it('fails with 9, asks with the input request, and applies the change with the input wait', async () => {
    const reviewer = await server.openBrowser()
    await server.openBrowser()
    await server.call('POST', '/environments', { name: 'reviewed' })
    await server.call('PATCH', '/environments/reviewed', { protection: { approvals: 1 } })
    await push('reviewed')
    writeDefinition(place, oneOfEach.replace('default: 3000', 'default: 4000'))
    const inputs = { COMMAND: 'push', ENVIRONMENT: 'reviewed' }
    const waiting = async () =>
      (await server.call<{ items: { number: number }[] }>('GET', '/change-requests')).items
    expect(await act(inputs)).toMatchObject({ code: 9 })
    expect(await waiting()).toEqual([])
    const asked = await act({ ...inputs, REQUEST: 'true' })
    expect(asked.code).toBe(9)
    const [request] = await waiting()
    const number = request?.number ?? 0
    expect(asked.stdout).toContain(`/requests/${number}\n`)
    await reviewer.review(number, 'approve')
    // The same change is the same request.
    const done = await act({ ...inputs, WAIT: '1m' })
    expect([done.code, await waiting()]).toEqual([0, [expect.objectContaining({ number })]])
    expect(done.stdout).toContain(`Applied request ${number}`)
  })
})

describe('the action waits at a gate', () => {
  it('and ends as the command does, with the environment that it names', async () => {
    const run = { GITHUB_SHA: 'b'.repeat(40), GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1' }
    const passed = await act({ COMMAND: 'gate', ENVIRONMENT: 'production', WAIT: '1m' }, run)
    expect(passed.code).toBe(0)
    expect(passed.stdout).toContain('The deployment of bbbbbbb to production may go on')
    const nameless = await act({ COMMAND: 'gate' }, run)
    expect(nameless.stderr).toContain('environment: gate needs the name of an environment')
  })
})
