import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, showFindings } from './architecture/source-files.ts'
import { parseWorkflow, workflowFaults, yamlFaults } from './documents/workflow-rules.ts'
import { publishedPackages } from './packed/empty-project.ts'

const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).sort().map(read)
const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).sort().map(read)
const readme = read('README.md').text
const [, testCommand] = /<!-- test -->\n```sh\n(.+)\n```/.exec(readme) ?? []

const commandsOf = (path: string, job: string) =>
  parseWorkflow(read(path)).jobs[job]?.steps?.flatMap(({ run }) => run ?? [])

describe('the workflows of GitHub', () => {
  it('are YAML, and so are the issue forms', () => {
    expect(workflows.map(({ path }) => path)).toEqual([
      '.github/workflows/check.yml',
      '.github/workflows/judges.yml',
      '.github/workflows/nightly.yml',
      '.github/workflows/release.yml',
    ])
    expect(forms.length).toBeGreaterThan(1)
    expect(showFindings([...workflows, ...forms].flatMap(yamlFaults))).toEqual([])
  })

  it('have few permissions, pinned actions, an end, and no secret to print', () => {
    expect(showFindings(workflows.flatMap(workflowFaults))).toEqual([])
  })

  it('control: YAML that says a key twice is found', () => {
    const broken = { path: 'a.yml', text: 'name: a\non: push\nname: b\n' }
    expect(showFindings(yamlFaults(broken))).toEqual([
      expect.stringMatching(/^a\.yml:3 Map keys must be unique/),
    ])
  })

  it('control: each dangerous line is found', () => {
    const text = [
      'permissions: write-all',
      'jobs:',
      '  a:',
      '    runs-on: ubuntu-latest',
      '    permissions: write-all',
      '    steps:',
      '      - uses: actions/checkout@v7',
      '      - run: echo "$NPM_TOKEN"',
      '        env: { NPM_TOKEN: "${{ secrets.NPM_TOKEN }}" }',
      '      - run: git log ${{ github.head_ref }}',
    ].join('\n')
    expect(showFindings(workflowFaults({ path: 'a.yml', text }))).toEqual([
      'a.yml:1 does not begin with permissions that only read the contents',
      'a.yml:1 reads a stored secret',
      'a.yml:1 job a has no timeout-minutes',
      'a.yml:1 job a names no version of its runner',
      'a.yml:1 job a has the permissions write-all',
      'a.yml:1 job a prints a secret',
      'a.yml:1 job a writes an expression into a script',
      'a.yml:7 actions/checkout@v7 is not a commit with its version beside it',
    ])
  })

  it('run the test command of the README, with the programs that tests start, and nothing else', () => {
    expect(testCommand).toMatch(/^npm ci && /)
    expect(commandsOf('.github/workflows/check.yml', 'check')).toEqual([
      'sudo apt-get install --yes --no-install-recommends debian-archive-keyring libfaketime',
      testCommand,
    ])
    expect(read('.github/workflows/check.yml').text).toContain('SIGNALBOX_TEST_REQUIRE: all')
    expect(commandsOf('.github/workflows/nightly.yml', 'nightly')).toContain(
      `${testCommand} -- --all --scale 3`,
    )
  })

  it('name at night each proof and test in a browser that is left out by day, with what carries it', () => {
    const left = /const nightly = \['test\/proof\/\{(.+)\}\.proof\.ts'\]/.exec(
      read('vitest.config.ts').text,
    )
    const inBrowser = globSync('e2e/**/night/*.test.ts', { cwd: root })
    const names = [
      ...(left?.[1]?.split(',').map((name) => `${name}.proof`) ?? []),
      ...inBrowser.map((path) => `night/${basename(path, '.test.ts')}`),
    ]
    const listed = read('.github/workflows/nightly.yml').text
    expect(inBrowser.length).toBeGreaterThan(10)
    expect(names.filter((name) => !listed.includes(`# ${name} `))).toEqual([])
  })

  it('run at the scale of the night all that asks for it, also beside the code', () => {
    const [, list = ''] = /const atScale = \[([^\]]+)\]/.exec(read('vitest.config.ts').text) ?? []
    const patterns = [...list.matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern)
    const atScale = new Set(globSync(patterns, { cwd: root }))
    const asking = globSync('packages/*/src/**/*.test.ts', { cwd: root }).filter((path) =>
      read(path).text.includes("inject('scale')"),
    )
    expect(asking.length).toBeGreaterThan(10)
    expect(asking.filter((path) => !atScale.has(path))).toEqual([])
  })

  it('judge by published documents with the commands of CONTRIBUTING.md', () => {
    const { text } = read('CONTRIBUTING.md')
    const shown = [...text.matchAll(/^(?:GITLAB_OPENAPI|LINEAR_SCHEMA)=.+$/gm)].map(
      ([line]) => line,
    )
    const commands = commandsOf('.github/workflows/judges.yml', 'judges') ?? []
    expect(shown).toHaveLength(2)
    expect(commands.filter((one) => one.includes('vitest'))).toEqual(shown)
    // Each document is fetched from what the page links to.
    for (const [, , place] of text.matchAll(
      /\((https:\/\/(?:gitlab|github)\.com\/\S+\/blob\/master\/(\S+))\)/g,
    )) {
      expect(commands.join('\n')).toContain(`/master/${place}`)
    }
  })

  it('say in their first line that they have not run, as long as the README says so', () => {
    expect(readme).toContain('The workflows in `.github/` have not run')
    for (const { text } of workflows) expect(text).toMatch(/^# Not run on GitHub yet/)
  })
})

describe('a release', () => {
  it('waits for the check before it publishes anything', () => {
    const { jobs } = parseWorkflow(read('.github/workflows/release.yml'))
    expect(jobs).toMatchObject({
      check: { uses: './.github/workflows/check.yml' },
      packages: { needs: 'check' },
      images: { needs: 'check' },
      release: { needs: ['packages', 'images'] },
    })
  })

  it('locks the command line of the action once it is published, and moves the tag that the guide names', () => {
    const commands = commandsOf('.github/workflows/release.yml', 'release') ?? []
    const lock = commands.find((command) => command.includes('--package-lock-only')) ?? ''
    expect(commands.indexOf(lock)).toBeGreaterThan(
      commands.findIndex((command) => command.includes('npm pack')),
    )
    expect(lock).toContain('git push --force origin "v${version%%.*}"')
    const { version }: { version: string } = JSON.parse(read('package.json').text)
    const named = [...read('docs/guide/ci.md').text.matchAll(/uses: signalbox\/signalbox@(\S+)/g)]
    expect(new Set(named.map(([, tag]) => tag))).toEqual(new Set([`v${version.split('.')[0]}`]))
  })

  it('publishes every workspace that is not private: the packages whose tarballs are tested', () => {
    const manifests = globSync('packages/*/package.json', { cwd: root }).map((path): Manifest =>
      JSON.parse(read(path).text),
    )
    const published = manifests.filter((manifest) => manifest.private !== true)
    expect(published.map(({ name }) => name).sort()).toEqual(
      publishedPackages.map((name) => `@signalbox/${name}`).sort(),
    )
  })

  it('finds in each package the repository that its provenance has to name', () => {
    for (const name of publishedPackages) {
      const manifest: Manifest = JSON.parse(read(`packages/${name}/package.json`).text)
      expect(manifest.repository).toEqual({
        type: 'git',
        url: 'git+https://github.com/signalbox/signalbox.git',
        directory: `packages/${name}`,
      })
    }
  })
})

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly repository?: object
}
