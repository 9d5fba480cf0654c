// The one step of action.yml: finds the command line of exactly this version, and hands over to it. Plain JavaScript
// for the Node of any runner, and nothing of the project that is checked is run here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const { env } = process
const root = env['GITHUB_ACTION_PATH'] ?? join(import.meta.dirname, '..')

const config = env['INPUT_CONFIG'] ? ['--config', env['INPUT_CONFIG']] : []

process.exitCode = run(process.execPath, [findProgram(), 'github-action', ...config])

/** Ours where this checkout has been built, else the published package of the same version. */
function findProgram() {
  const built = join(root, 'packages/cli/dist/main.js')
  if (existsSync(built)) return built
  const { name, version } = JSON.parse(
    readFileSync(join(root, 'packages/cli/package.json'), 'utf8'),
  )
  const place = join(env['RUNNER_TEMP'] ?? root, `signalbox-cli-${version}`)
  const installed = join(place, 'node_modules', name, 'dist/main.js')
  if (existsSync(installed)) return installed
  const flags = ['--prefix', place, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const code = run('npm', ['install', ...flags, `${name}@${version}`])
  if (code !== 0) {
    process.stdout.write(`::error title=Signalbox::${name}@${version} could not be installed.\n`)
    process.exit(code)
  }
  return installed
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
