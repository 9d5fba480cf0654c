// The one step of action.yml: finds the command line of exactly this version, and hands over to it. Plain JavaScript
// for the Node of any runner, and nothing of the project that is checked is run here.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const { env } = process
const root = env['GITHUB_ACTION_PATH'] ?? join(import.meta.dirname, '..')

const config = env['INPUT_CONFIG'] ? ['--config', env['INPUT_CONFIG']] : []

process.exitCode = run(process.execPath, [findProgram(), 'github-action', ...config])

/** Ours where this checkout has been built, else the published package that the lock file beside this file names by its hash. */
function findProgram() {
  const built = join(root, 'packages/cli/dist/main.js')
  if (existsSync(built)) return built
  const locked = join(root, 'action/package-lock.json')
  // A name alone could be anybody's package, and it would get the tokens of the step.
  if (!existsSync(locked)) {
    fail(
      'The command line of Signalbox is not published yet, and this checkout of the action is not built. Check out Signalbox in a step before, run npm ci --omit=dev and npm run build in it, and use it by its path, such as uses: ./signalbox',
    )
  }
  const place = join(env['RUNNER_TEMP'] ?? root, 'signalbox-cli')
  const installed = join(place, 'node_modules/@signalbox/cli/dist/main.js')
  if (existsSync(installed)) return installed
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(root, 'action', file), join(place, file))
  }
  const flags = ['--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund']
  const code = run('npm', ['ci', ...flags])
  if (code !== 0) fail('The command line of Signalbox could not be installed.', code)
  return installed
}

function fail(detail, code = 1) {
  process.stdout.write(`::error title=Signalbox::${detail}\n`)
  process.exit(code)
}

/** Runs a program with our streams, and answers its exit code. */
function run(command, args) {
  const isNpm = command === 'npm'
  const { status, error } = spawnSync(command, args, {
    // npm has no business with the tokens of the step.
    env: isNpm ? withoutTokens() : env,
    stdio: isNpm ? ['ignore', 'ignore', 'inherit'] : 'inherit',
    shell: isNpm && process.platform === 'win32',
  })
  if (error !== undefined) process.stderr.write(`${command}: ${error.message}\n`)
  return status ?? 1
}

function withoutTokens() {
  const { SIGNALBOX_TOKEN: _token, INPUT_GITHUB_TOKEN: _githubToken, ...others } = env
  return others
}
