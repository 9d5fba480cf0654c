import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const launcher = fileURLToPath(new URL('../../../../action/main.js', import.meta.url))
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-action-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function write(name: string, text: string): void {
  const path = join(directory, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

const launch = (env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [launcher], {
    encoding: 'utf8',
    env: {
      PATH: `${directory}/bin:${dirname(process.execPath)}:/usr/bin:/bin`,
      GITHUB_ACTION_PATH: join(directory, 'action'),
      RUNNER_TEMP: join(directory, 'temp'),
      SIGNALBOX_TOKEN: 'the-token',
      INPUT_GITHUB_TOKEN: 'the-other-token',
      ...env,
    },
  })
/** A command line that says how it was called. */
const program = `console.log('called', ...process.argv.slice(2), process.env.SIGNALBOX_TOKEN)
process.exitCode = 8`

describe('the one step of action.yml', () => {
  it('hands over to the command line of its own checkout where that has been built', () => {
    write('action/packages/cli/dist/main.js', program)
    expect(launch()).toMatchObject({ status: 8, stdout: 'called github-action the-token\n' })
    const { stdout } = launch({ INPUT_CONFIG: 'a b.ts' })
    expect(stdout).toBe('called github-action --config a b.ts the-token\n')
  })

  /** As a release leaves it: the package by its hash. */
  const writeLock = () => {
    write('action/action/package.json', '{"dependencies":{"@signalbox/cli":"1.2.3"}}')
    write('action/action/package-lock.json', '{"lockfileVersion":3}')
  }

  it('asks no registry for a name without a hash: it says what to do, and hands the tokens to nobody', () => {
    write('bin/npm', `#!/bin/sh\necho called > "${directory}/npm.log"\n`)
    write('bin/npx', `#!/bin/sh\necho called > "${directory}/npm.log"\n`)
    const { status, stdout } = launch()
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /^::error title=Signalbox::.+ not published yet.+ uses: \.\/signalbox\n$/,
    )
    expect(existsSync(join(directory, 'npm.log'))).toBe(false)
  })

  it('else installs what its lock file names, once, without scripts and without tokens', () => {
    writeLock()
    write(
      'bin/npm',
      `#!/bin/sh
echo "npm $*" >> "${directory}/npm.log"
env >> "${directory}/npm.log"
cmp "$3/package-lock.json" "${directory}/action/action/package-lock.json" || exit 9
mkdir -p "$3/node_modules/@signalbox/cli/dist"
cp "${directory}/program.js" "$3/node_modules/@signalbox/cli/dist/main.js"
`,
    )
    write('program.js', program)
    expect(launch()).toMatchObject({ status: 8, stdout: 'called github-action the-token\n' })
    expect(launch()).toMatchObject({ status: 8 })
    const log = readFileSync(join(directory, 'npm.log'), 'utf8')
    expect(log.match(/^npm ci /gm)).toHaveLength(1)
    expect(log).toContain('--ignore-scripts')
    expect(log).not.toMatch(/the-token|the-other-token/)
  })

  it('says that it could not be installed', () => {
    writeLock()
    write('bin/npm', '#!/bin/sh\nexit 3\n')
    const { status, stdout } = launch()
    expect(status).toBe(3)
    expect(stdout).toContain('::error title=Signalbox::The command line of Signalbox could not be')
  })
})
