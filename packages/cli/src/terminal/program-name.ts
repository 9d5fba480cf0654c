import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

type Env = Readonly<Partial<Record<string, string>>>

/** Names of the file that npm links, on any system. */
const linkNames = ['signalbox', 'signalbox.cmd']

/** Starts the linked program, and never one that a registry has under the same name. */
const ofNpm = 'npx --no-install signalbox'

/**
 * Returns how a person starts this program: `npx --no-install signalbox` where npm has started it, or where it is only
 * in the `node_modules` here or above.
 */
export function programName(env: Env, cwd: string): string {
  const isOfNpm = env['npm_command'] === 'exec' || env['npm_command'] === 'run-script'
  if (isOfNpm) return ofNpm
  const isOnPath = (env['PATH'] ?? '').split(delimiter).some(hasLink)
  return !isOnPath && isLinkedAbove(cwd) ? ofNpm : 'signalbox'
}

/** Replaces the name at the beginning of each command in a text that people read. */
export function withProgramName(text: string, name: string): string {
  return text.replaceAll(/(?<![\w@/.-])signalbox (?=[a-z])/g, `${name} `)
}

function isLinkedAbove(cwd: string): boolean {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (hasLink(join(directory, 'node_modules/.bin'))) return true
    if (directory === dirname(directory)) return false
  }
}

function hasLink(directory: string): boolean {
  return directory !== '' && linkNames.some((name) => existsSync(join(directory, name)))
}
