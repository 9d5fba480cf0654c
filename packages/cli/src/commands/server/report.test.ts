import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { standInRunId } from '../../testing/stand-in-runs.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()

const junit = '<?xml version="1.0"?><testsuite name="a" tests="1"/>'
const ctrf = '{"results":{"tool":{"name":"x"},"summary":{},"tests":[]}}'
const deployment = ['--deployment', `dep_${'1'.repeat(26)}`]

function write(name: string, text: string): string {
  mkdirSync(join(place.directory, name, '..'), { recursive: true })
  writeFileSync(join(place.directory, name), text)
  return name
}

const posts = () => server.seen.filter(({ method }) => method === 'POST')
const uploads = () => posts().filter(({ path }) => path.includes('/report'))

describe('a report', () => {
  it('is recorded as a run of the deployment and uploaded, with what came of it', async () => {
    const result = await place.run(['report', write('junit.xml', junit), ...deployment])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain('41 passed, 0 failed, 2 skipped in 63.2 s')
    expect(result.stdout).toContain(`${server.url}/organizations/org_`)
    expect(result.stdout).toContain(`/test-runs/${standInRunId}`)
    const [created, upload] = posts()
    expect(created?.body).toEqual({ name: 'Tests', deploymentId: deployment[1] })
    expect(upload?.headers['content-type']).toBe('application/xml')
    expect(upload?.body).toBe(junit)
  })

  it('is known by what is in it, whatever the name and the mark at its beginning', async () => {
    const wide = join(place.directory, 'c.xml')
    writeFileSync(wide, Buffer.from(`\uFEFF${junit}`, 'utf16le'))
    const files = [write('a.json', `\uFEFF \n${junit}`), write('b.xml', ctrf), 'c.xml']
    expect((await place.run(['report', ...files, ...deployment])).code).toBe(0)
    expect(uploads().map(({ headers }) => headers['content-type'])).toEqual([
      'application/xml',
      'application/json',
      'application/xml',
    ])
  })

  it('that is not there, or is a directory, is named as that', async () => {
    const absent = await place.run(['report', 'nope.xml', '--environment', 'development'])
    expect(absent.code).toBe(2)
    expect(absent.stderr).toContain('There is no file nope.xml.')
    const directory = await place.run(['report', '.', '--environment', 'development'])
    expect(directory.stderr).toContain('. is a directory.')
  })

  it('of a run that there is records none', async () => {
    await place.run(['report', write('junit.xml', junit), '--run', standInRunId])
    expect(posts()).toHaveLength(1)
    expect(uploads()[0]?.path).not.toContain('shard')
  })

  it('in several files is of several parts, each named after its file', async () => {
    const files = [write('out/1.xml', junit), write('out/2.xml', junit)]
    const result = await place.run(['report', ...files, ...deployment, '--shard', 'web'])
    expect(result.stdout).toContain('(2 reports)')
    const shards = uploads().map(({ path }) => new URL(path, server.url).searchParams.get('shard'))
    expect(shards).toEqual(['web/out/1.xml', 'web/out/2.xml'])
  })

  it('that is refused here or by the server keeps none of the others from being sent, and each is named', async () => {
    const files = [
      write('a.xml', junit),
      write('b.txt', 'all green'),
      write('refused/c.xml', junit),
      write('d.xml', junit),
      'nope.xml',
    ]
    const result = await place.run(['report', ...files, ...deployment])
    expect(result.code).toBe(5)
    expect(result.stdout).toContain('✗ 41 passed')
    expect(result.stdout).toContain('(2 reports)')
    expect(result.stderr).toContain('3 of 5 reports were refused.')
    expect(result.stderr).toContain('b.txt: b.txt is neither XML nor a JSON object.')
    expect(result.stderr).toContain('nope.xml: There is no file nope.xml.')
    expect(result.stderr).toMatch(/refused\/c\.xml: .*well-formed/)
    const queries = uploads().map(({ path }) => new URL(path, server.url).searchParams)
    expect(queries.map((query) => [query.get('shard'), query.get('parts')])).toEqual(
      ['b.txt', 'nope.xml', 'a.xml', 'refused/c.xml', 'd.xml'].map((shard) => [shard, '5']),
    )
    expect(queries.map((query) => query.get('missing') !== null)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('that is not there is told to the run that waits for it', async () => {
    const result = await place.run(['report', 'results/*.xml', '--run', standInRunId])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('There is no file results/*.xml.')
    expect(uploads().map(({ path }) => new URL(path, server.url).search)).toEqual([
      `?missing=${encodeURIComponent('There is no file results/*.xml.').replaceAll('%20', '+').replaceAll('*', '*')}`,
    ])
  })

  it('has a name of its own, however long its path is', async () => {
    const long = 'x'.repeat(60)
    const files = ['one', 'two'].map((name) => write(`${name}/${long}/${long}/a.xml`, junit))
    await place.run(['report', ...files, ...deployment, '--repeats', 'retries'])
    const queries = uploads().map(({ path }) => new URL(path, server.url).searchParams)
    const shards = queries.map((query) => query.get('shard') ?? '')
    expect(new Set(shards).size).toBe(2)
    for (const shard of shards) expect(shard).toMatch(/^.{1,100}$/)
    expect(queries.map((query) => query.get('repeats'))).toEqual(['retries', 'retries'])
  })

  it('that fails ends with 1 only when that is asked for, and its warnings are shown', async () => {
    const args = ['report', write('junit.xml', junit), ...deployment, '--shard', 'failure']
    const quiet = await place.run(args)
    expect(quiet.code).toBe(0)
    expect(quiet.stdout).toContain('1 failed')
    expect(quiet.stderr).toContain('Another commit was tested')
    expect((await place.run([...args, '--fail'])).code).toBe(1)
  })

  it('is one document with --json', async () => {
    const { stdout } = await place.run(['report', write('a.xml', junit), ...deployment, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      run: { id: standInRunId },
      link: expect.stringContaining(standInRunId),
      files: [{ path: 'a.xml', format: 'JUnit', bytes: junit.length }],
    })
  })

  it('is not sent by a dry run', async () => {
    const result = await place.run(['report', write('a.xml', junit), ...deployment, '--dry-run'])
    expect(result.stdout).toContain('would upload a.xml (JUnit)')
    expect(server.seen).toEqual([])
  })

  it('names the run of GitHub Actions that it comes from', async () => {
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_RUN_ID: '9001',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/shop',
    }
    await place.run(['report', write('a.xml', junit), '--sha', 'abcdef1'], { env })
    expect(posts()[0]?.body).toEqual({
      name: 'Tests',
      sha: 'abcdef1',
      externalId: '9001',
      url: 'https://github.com/acme/shop/actions/runs/9001',
    })
  })
})

describe('what is no report', () => {
  it.each([
    ['empty.xml', '', 'is empty'],
    ['notes.txt', 'all green', 'is neither XML nor a JSON object'],
  ])('is refused before anything is sent: %s', async (name, text, message) => {
    const result = await place.run(['report', write(name, text), ...deployment])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain(message)
    expect(result.stderr).toContain('fix: Use JUnit XML or CTRF JSON')
    expect(server.seen).toEqual([])
  })

  it('is refused when it is too large for the server', async () => {
    const file = write('big.xml', junit + ' '.repeat(20 * 1024 * 1024))
    const result = await place.run(['report', file, ...deployment])
    expect(result.stderr).toContain('larger than 20 MiB')
    expect(server.seen).toEqual([])
  })

  it('is a file that is not there', async () => {
    const result = await place.run(['report', 'nothing.xml', ...deployment])
    expect(result.code).not.toBe(0)
    expect(result.stderr).toContain('nothing.xml')
  })

  it('is what says of nothing what was tested', async () => {
    const result = await place.run(['report', write('a.xml', junit)])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('Use --deployment <id>')
    expect(server.seen).toEqual([])
  })
})

describe('without a token, in a job of GitHub Actions', () => {
  const pipelineToken = `${'e'.repeat(40)}.${'p'.repeat(40)}.${'s'.repeat(40)}`
  let actions: Server
  let asked: { url: string; authorization: string | undefined }[]
  let status: number

  beforeEach(async () => {
    asked = []
    status = 200
    server.state.tokens.add(pipelineToken)
    actions = createServer(({ url = '', headers }, response) => {
      asked.push({ url, authorization: headers.authorization })
      response.statusCode = status
      response.end(JSON.stringify({ value: pipelineToken }))
    })
    await new Promise<void>((resolve) => actions.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => actions.close())

  const env = (more: Readonly<Record<string, string>> = {}) => ({
    SIGNALBOX_TOKEN: '',
    SIGNALBOX_ORGANIZATION: 'acme',
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(actions.address() as AddressInfo).port}/token?v=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
    ...more,
  })
  const run = ['--run', standInRunId]

  it('the token of the job is asked for, for this server alone', async () => {
    const result = await place.run(['report', write('a.xml', junit), ...run], { env: env() })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    const audience = encodeURIComponent(server.url)
    expect(asked).toEqual([
      { url: `/token?v=1&audience=${audience}`, authorization: 'Bearer request-token' },
    ])
    expect(posts()).toHaveLength(1)
    expect(posts()[0]?.path).toContain(`/organizations/acme/test-runs/${standInRunId}/report`)
    expect(posts()[0]?.headers.authorization).toBe(`Bearer ${pipelineToken}`)
    expect(result.stdout + result.stderr).not.toContain(pipelineToken)
  })

  it('the token that the job was started with is used, and nobody is asked', async () => {
    const given = env({ SIGNALBOX_ID_TOKEN: pipelineToken, ACTIONS_ID_TOKEN_REQUEST_URL: '' })
    const result = await place.run(['report', write('a.xml', junit), ...run], { env: given })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(asked).toEqual([])
    expect(posts()[0]?.headers.authorization).toBe(`Bearer ${pipelineToken}`)
    expect(result.stdout + result.stderr).not.toContain(pipelineToken)
  })

  it('a run has to be named, which it was dispatched for', async () => {
    const result = await place.run(['report', write('a.xml', junit), ...deployment], { env: env() })
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('--run ${{ inputs.test_run_id }}')
    expect(asked).toEqual([])
  })

  it('a refusal says which permission is missing', async () => {
    status = 403
    const result = await place.run(['report', write('a.xml', junit), ...run], { env: env() })
    expect(result.code).toBe(4)
    expect(result.stderr).toContain('gave no token for this run (status 403)')
    expect(result.stderr).toContain('id-token: write')
    expect(uploads()).toEqual([])
  })

  it('a token that was given goes first', async () => {
    const given = env({ SIGNALBOX_TOKEN: place.env['SIGNALBOX_TOKEN'] ?? '' })
    await place.run(['report', write('a.xml', junit), ...run], { env: given })
    expect(asked).toEqual([])
    expect(uploads()).toHaveLength(1)
  })
})
