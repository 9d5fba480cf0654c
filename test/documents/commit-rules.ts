import { spawnSync } from 'node:child_process'
import { root } from '../architecture/source-files.ts'

/** Describes a commit. `id` is abbreviated. */
export interface Commit {
  readonly id: string
  readonly parents: number
  readonly message: string
}

/**
 * Lists the commits after `base` that the history here has. A shallow clone without `base` has only newer ones. A
 * history that never had it, as in an unpacked tarball or an import into another repository, has none of ours.
 */
export function listCommits(base: string): Commit[] {
  const top = git('rev-parse', '--show-toplevel')?.trim()
  if (top !== root.replaceAll('\\', '/')) return []
  const hasBase = git('merge-base', '--is-ancestor', base, 'HEAD') !== undefined
  if (!hasBase && git('rev-parse', '--is-shallow-repository')?.trim() !== 'true') return []
  const log = git('log', '-z', '--format=%h%n%p%n%B', hasBase ? `${base}..HEAD` : 'HEAD') ?? ''
  return log
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [id = '', parents = '', ...message] = entry.split('\n')
      return {
        id,
        parents: parents.split(' ').filter(Boolean).length,
        message: message.join('\n').trim(),
      }
    })
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

/** Returns what is wrong with the message of a commit. GitHub writes the subjects of merges, so those are free. */
export function commitFaults({ id, parents, message }: Commit): string[] {
  const [subject = ''] = message.split('\n')
  const [machinePath] = /(?<![\w.])(?:\/(?:home|Users|work|mnt)\/|[A-Z]:\\)/.exec(message) ?? []
  return [
    ...(parents > 1 ? [] : subjectFaults(subject)),
    ...(machinePath === undefined ? [] : [`names a path of a machine: ${machinePath}`]),
  ].map((fault) => `${id} ${fault}`)
}

function subjectFaults(subject: string): string[] {
  const [, verb] = /^[a-z][a-z0-9.,/ -]*: ([a-z]\S*)/.exec(subject) ?? []
  return [
    ...(subject.length > 72 ? [`has a subject of ${subject.length} characters`] : []),
    ...(verb === undefined ? ['does not begin with `area: what`'] : []),
    ...(subject.endsWith('.') ? ['ends its subject with a period'] : []),
    ...(verb !== undefined && isInflected(verb)
      ? [`says "${verb}" where an imperative stands`]
      : []),
  ]
}

/** Recognizes "reads", "added" and "moving", and lets "pass", "focus", "need" and "bring" through. */
function isInflected(verb: string): boolean {
  return /(?:[^su]s|[^e]ed|ing)$/.test(verb) && !['alias', 'bring', 'embed'].includes(verb)
}
