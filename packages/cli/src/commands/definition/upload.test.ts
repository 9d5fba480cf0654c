import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withRealServer, withStandIn } from '../../testing/with-server.ts'

const canary = 'sk_canary_of_a_default'
const withDefault = `
  public: { retries: number({ default: 3 }) },
  secret: { stripeKey: string({ default: '${canary}' }), token: string() },`

/** Makes the directory a repository, whose remote is `acme/shop`, and commits what is in it. */
function commitAll(directory: string): string {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8' }).trim()
  git('init', '-q', '-b', 'checkout')
  git('remote', 'add', 'origin', 'https://robot:hunter2@git.example.com/acme/shop.git')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'First')
  return git('rev-parse', 'HEAD')
}

describe('check --upload', () => {
  const { server, place } = withRealServer()
  let sha: string

  beforeEach(async () => {
    writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema: 'uploaded' }))
    writeDefinition(place, oneOfEach)
    sha = commitAll(place.directory)
    // A repository is known once something of it was deployed.
    const deployed = ['--environment', 'staging', '--state', 'success', '--repository', 'acme/shop']
    await place.run(['deployments', 'report', ...deployed, '--sha', sha])
  })

  it('says of every environment what the commit of git lacks there, until somebody sets it', async () => {
    const upload = ['check', '--upload']
    const lacking = await place.run(upload)
    expect(lacking.code).toBe(5)
    expect(lacking.stdout).toContain(`acme/shop ${sha.slice(0, 7)}, schema uploaded`)
    expect(lacking.stdout).toMatch(/✗ {2}production +no value yet for stripeKey/)
    expect(lacking.stdout).toMatch(
      new RegExp(`${server.url}/${server.slug}/deployments/checks/chk_`),
    )
    expect(lacking.stdout + lacking.stderr).not.toContain('hunter2')
    expect(await place.run([...upload, '--no-fail'])).toMatchObject({ code: 0 })
    await place.run(['push', '--env', 'development', '--yes'])
    for (const environment of ['development', 'staging', 'production']) {
      const set = ['set', 'stripeKey', '--env', environment, '--yes']
      expect(await place.run(set, { stdin: 'sk_test_1' })).toMatchObject({ code: 0 })
    }
    const ready = await place.run([...upload, '--json'])
    expect(ready.code).toBe(0)
    expect(JSON.parse(ready.stdout)).toMatchObject({
      check: { sha, repository: 'acme/shop', ref: 'checkout', conclusion: 'success' },
      page: expect.stringContaining('/deployments/checks/chk_'),
    })
  })

  it('says where nothing is written beside the commit, and what to do about it', async () => {
    // The server looks for a way to write it after the answer.
    const upload = async () => (await place.run(['check', '--upload', '--no-fail'])).stderr
    await expect.poll(upload, { timeout: 20_000 }).toMatch(/Integrations/)
  })

  it('refuses a definition that is not as the commit has it, and sends nothing of it', async () => {
    appendFileSync(join(place.directory, 'signalbox.config.ts'), '// changed\n')
    const result = await place.run(['check', '--upload'])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('Commit it first')
  })

  it('says which repository is not known, and how it becomes known', async () => {
    const result = await place.run(['check', '--upload', '--repository', 'acme/other'])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('There is no such repository.')
    expect(result.stderr).toContain('Integrations page')
  })
})

describe('an upload of a pipeline', () => {
  const { server, place } = withStandIn()
  const head = 'a'.repeat(40)
  const merge = 'b'.repeat(40)
  const uploads = () =>
    server.seen
      .filter(({ path }) => path.endsWith('/commit-checks'))
      .map(({ path, headers, body }) => ({ path, token: headers.authorization, body }))
  const idToken = `${'e'.repeat(40)}.${'p'.repeat(40)}.${'s'.repeat(40)}`
  const ofJob = { SIGNALBOX_TOKEN: '', SIGNALBOX_ORGANIZATION: 'acme', SIGNALBOX_ID_TOKEN: idToken }
  const upload = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    place.run(['check', '--upload', '--schema', 'web', ...args], { env })
  const actions = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SHA: merge,
    GITHUB_REF_NAME: '7/merge',
    GITHUB_REF_TYPE: 'branch',
  }
  const writeEvent = (repository: string) => {
    const path = join(place.directory, 'event.json')
    const source = { sha: head, ref: 'checkout', repo: { full_name: repository } }
    writeFileSync(path, JSON.stringify({ pull_request: { number: 7, head: source } }))
    return { ...actions, GITHUB_EVENT_PATH: path }
  }

  beforeEach(() => {
    writeDefinition(place, withDefault)
    server.state.tokens.add(idToken)
  })

  it('sends the token of the job, and lets it name repository and commit', async () => {
    const { code, stdout } = await upload({ ...ofJob, ...actions })
    expect(code).toBe(5)
    expect(uploads()).toEqual([
      {
        path: '/organizations/acme/commit-checks',
        token: `Bearer ${idToken}`,
        body: { schema: 'web', definition: expect.anything() },
      },
    ])
    expect(stdout).toContain(`${server.url}/acme/deployments/checks/chk_`)
    expect(stdout).not.toContain(idToken)
  })

  it('names the newest commit of a pull request, where the run is of a merge of it', async () => {
    const env = writeEvent('acme/shop')
    await upload({ ...ofJob, ...env })
    await upload(env)
    expect(uploads().map(({ body }) => body)).toEqual([
      { schema: 'web', sha: head, definition: expect.anything() },
      {
        schema: 'web',
        repository: 'acme/shop',
        sha: head,
        ref: 'checkout',
        definition: expect.anything(),
      },
    ])
  })

  it('of a fork, which gets no token, sends nothing and does not fail', async () => {
    const result = await upload({ ...writeEvent('mallory/shop'), SIGNALBOX_TOKEN: '' })
    expect(result.code).toBe(0)
    expect(result.stderr).toContain('Nothing was sent: a pull request of a fork gets no token.')
    expect(server.seen).toEqual([])
  })

  it('keeps the defaults of secrets, and says only that there is one', async () => {
    const result = await upload({ ...ofJob, ...actions })
    expect(JSON.stringify(server.seen) + result.stdout + result.stderr).not.toContain(canary)
    expect(uploads()[0]?.body).toMatchObject({
      definition: {
        retries: { default: 3 },
        stripeKey: { hasDefault: true, required: false },
        token: { hasDefault: false, required: true },
      },
    })
  })

  it('names a tag in full, and of other pipelines the branch that a proposal comes from', async () => {
    await upload({ ...actions, GITHUB_REF_NAME: 'v1', GITHUB_REF_TYPE: 'tag' })
    const ofMergeRequest = {
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'acme/shop',
      CI_COMMIT_SHA: merge,
      CI_COMMIT_REF_NAME: 'checkout',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'checkout',
      CI_MERGE_REQUEST_PROJECT_ID: '1',
    }
    await upload({ ...ofMergeRequest, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1' })
    await upload({ ...ofMergeRequest, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2' })
    const ofWoodpecker = { CI: 'woodpecker', CI_REPO: 'acme/shop', CI_COMMIT_SHA: head }
    const target = { CI_COMMIT_BRANCH: 'main', CI_COMMIT_SOURCE_BRANCH: 'checkout' }
    await upload({ ...ofWoodpecker, ...target, CI_COMMIT_PULL_REQUEST: '7' })
    expect(uploads().map(({ body }) => body)).toEqual([
      expect.objectContaining({ sha: merge, ref: 'refs/tags/v1' }),
      expect.objectContaining({ sha: head, ref: 'checkout' }),
      expect.not.objectContaining({ ref: expect.anything() }),
      expect.objectContaining({ sha: head, ref: 'checkout' }),
    ])
  })

  it('says what is missing outside of a pipeline and of git, and sends nothing', async () => {
    const result = await upload({})
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('--repository is missing.')
    const both = await upload({}, '--env', 'all')
    expect(both.stderr).toContain('Use --env or --upload, not both.')
    const planned = await upload({ ...ofJob, ...actions }, '--dry-run')
    expect(planned.stdout).toContain('would send web of the repository of the job')
    expect(uploads()).toEqual([])
  })
})
