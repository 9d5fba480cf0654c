import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const launcher = fileURLToPath(new URL('../../../../action/main.js', import.meta.url))
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-action-'))
  write('action/packages/cli/package.json', '{"name":"@signalbox/cli","version":"1.2.3"}')
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

  it('else installs the package of its own version, once, without scripts and without tokens', () => {
    write(
      'bin/npm',
      `#!/bin/sh
echo "npm $*" >> "${directory}/npm.log"
env >> "${directory}/npm.log"
mkdir -p "$3/node_modules/@signalbox/cli/dist"
cp "${directory}/program.js" "$3/node_modules/@signalbox/cli/dist/main.js"
`,
    )
    write('program.js', program)
    expect(launch()).toMatchObject({ status: 8, stdout: 'called github-action the-token\n' })
    expect(launch()).toMatchObject({ status: 8 })
    const log = spawnSync('cat', [join(directory, 'npm.log')], { encoding: 'utf8' }).stdout
    expect(log.match(/^npm install /gm)).toHaveLength(1)
    expect(log).toContain('--ignore-scripts')
    expect(log).toContain('@signalbox/cli@1.2.3')
    expect(log).not.toMatch(/the-token|the-other-token/)
  })

  it('says that it could not be installed', () => {
    write('bin/npm', '#!/bin/sh\nexit 3\n')
    const { status, stdout } = launch()
    expect(status).toBe(3)
    expect(stdout).toContain(
      '::error title=Signalbox::@signalbox/cli@1.2.3 could not be installed.',
    )
  })
})
